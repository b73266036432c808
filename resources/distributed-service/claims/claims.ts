import { deletion } from '../../../packages/controller/decide/children.ts';
import { allowsDomain, allowsPort } from '../../../packages/controller/domain/allowed.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed, Write } from '../../../packages/controller/domain/plan.ts';
import type { ProfileFinding } from '../frp/profile.ts';
import type { ServerProfile } from '../frp/server-profile.ts';
import type { Given } from '../given.ts';
import { labels } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { claimInputs, claimOf, claimRef, withoutService } from './claim-objects.ts';
import { inOrder, publishedMark, sortOwn } from './claim-queries.ts';
import { isGraceOver, type Scene, takeOne, type Wanted } from './claim-steps.ts';
import { tellWant, type Want, wantsOf } from './wants.ts';

/** Whether a service holds the hosts and ports that it wants at its server. */
export interface ClaimFinding {
  readonly writes: readonly Write[];
  /** The service does not hold all yet, and may after these writes. */
  readonly pending: boolean;
  /** A sentence for the status: what the service wants, and which service of its namespace, or that another namespace, holds it. */
  readonly conflict?: string;
  /** A sentence for the status: what the profile refuses to the namespace of the service. */
  readonly denied?: string;
  /** The mark of the published configuration: a hash of the Claims that it was made for. */
  readonly mark?: string;
}

/**
 * The first service to claim a host or port keeps it. A service claims what is free, in the order of the Claims' names so that two
 * services never wait for each other. It stops at the first one that another service holds, and waits there until an event of that
 * Claim wakes it. It releases what its spec no longer names.
 */
export function findClaims(
  observed: Observed<DistributedService>,
  profile: ProfileFinding,
  given: Given,
): ClaimFinding {
  const { owner, inputs: found } = observed;
  // Without its server a service does not know what to claim there: its Claims stay as they are.
  if (profile.is !== 'usable') return { writes: [], pending: false };
  const home = profile.configMap.metadata.namespace ?? '';
  const { hash, controllerNamespace, now, byResync = false } = given;
  const place = { server: `${home}/${owner.spec.serverProfile}`, hash, controllerNamespace };
  const own = sortOwn(owner, found.get(claimInputs.own) ?? []);
  const wants = inOrder(wantsOf(owner.spec, profile.profile), place);
  const scene: Scene = { owner, place, home, found, own, wants, now, byResync };
  const denied = denialOf(wants, owner, profile.profile);
  if (denied !== undefined) {
    const writes = [...letGo(new Set(), scene), ...endWaiting(undefined, scene)];
    return { writes, pending: false, denied };
  }
  const mark = publishedMark(wants, place);
  // The service holds all and has published it, so `claimQueries` has left its Claims out.
  if (!found.has(claimInputs.own)) return { writes: [], pending: false, mark };
  const wanted = wants.map((want) => ({ want, ref: claimRef(want, place) }));
  const taking = take(wanted, scene);
  const names = new Set(wanted.map(({ ref }) => ref.name));
  return {
    writes: [...taking.writes, ...letGo(names, scene), ...endWaiting(taking.waitsFor, scene)],
    pending: taking.pending,
    ...(taking.conflict === undefined ? { mark } : { conflict: taking.conflict }),
  };
}

function isAllowed(
  { kind, value }: Want,
  { metadata: { namespace = '' } }: DistributedService,
  { allowedDomains, allowedPorts }: ServerProfile,
): boolean {
  const isPort = kind === 'TCPPort' || kind === 'UDPPort';
  return isPort ? allowsPort(allowedPorts, namespace, Number(value)) : allowsDomain(allowedDomains, namespace, value);
}

/** A sentence for the status: what the profile refuses to the namespace of the service; undefined if it refuses nothing. */
function denialOf(wants: readonly Want[], owner: DistributedService, profile: ServerProfile): string | undefined {
  const { namespace = '' } = owner.metadata;
  const where = `ConfigMap ${profile.configMap.namespace}/${profile.configMap.name}`;
  const { serviceType, expose } = owner.spec;
  if (serviceType !== 'http' && expose?.remotePort === undefined && profile.allowedPorts !== undefined)
    return `the port that the FRP server would choose may be for another namespace, as allowedPorts of ${where} says: name a port in expose.remotePort`;
  const denied = wants.find((want) => !isAllowed(want, owner, profile));
  if (denied === undefined) return undefined;
  return `the ${tellWant(denied)} is not for namespace ${namespace}, as allowedDomains and allowedPorts of ${where} say: choose another`;
}

interface Taking {
  readonly writes: readonly Write[];
  readonly pending: boolean;
  readonly conflict?: string;
  /** The name of the Claim that the service waits for. */
  readonly waitsFor?: string;
}

function take(wanted: readonly Wanted[], scene: Scene): Taking {
  const writes: Write[] = [];
  for (const one of wanted) {
    const step = takeOne(one, scene);
    if (step.is === 'held') continue;
    if (step.is === 'waiting') return { ...step, writes: [...writes, ...step.writes], pending: false };
    writes.push(...step.writes);
    if (step.first === true) break;
  }
  return { writes, pending: writes.length > 0 };
}

/**
 * Takes the service out of the Claims that its spec no longer names. Knudge keeps such a Claim as `Released` for the namespace for a
 * minute if no other service shares it. No event reports the end of that minute, so the resync deletes the Claim.
 */
function letGo(wanted: ReadonlySet<string>, { owner, place, own, now, byResync }: Scene): readonly Write[] {
  const unwanted = (claims: readonly KubeObject[]) => claims.filter(({ metadata }) => !wanted.has(metadata.name));
  const over = byResync ? unwanted(own.released).filter((claim) => isGraceOver(claimOf(claim).spec.since, now)) : [];
  return [
    ...unwanted(own.held).map((claim) => withoutService(claimOf(claim), owner, { place, releasedAt: now })),
    ...over.map((claim) => ({ ...deletion(claim, 'Background'), byClock: true as const })),
  ];
}

function endWaiting(target: string | undefined, { own }: Scene): readonly Write[] {
  const ended = own.waiting.filter(({ metadata }) => metadata.labels?.[labels.claim] !== target);
  return ended.map((claim) => deletion(claim, 'Background'));
}

/** Takes a service that is being deleted out of all its Claims, without the minute for its namespace: its tunnel has ended. */
export function giveBack(observed: Observed<DistributedService>, given: Given): readonly Write[] {
  const { owner, inputs: found } = observed;
  const { held, released, waiting } = sortOwn(owner, found.get(claimInputs.own) ?? []);
  const { hash, controllerNamespace } = given;
  const place = { server: '', hash, controllerNamespace };
  return [
    ...held.map((claim) => withoutService(claimOf(claim), owner, { place })),
    ...[...released, ...waiting].map((claim) => deletion(claim, 'Background')),
  ];
}
