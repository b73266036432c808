import type { Asking, Inputs, NamedQuery } from '../../../packages/controller/decide/resource.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { type ClaimPlace, claimInputs, claimOf } from './claim-objects.ts';
import type { Claim } from './types.ts';
import { overlap, type Want } from './wants.ts';

/** At most this many holders of one Claim are looked at, each by one read. */
export const mostHolders = 8;

interface At {
  readonly owner: DistributedService;
  readonly place: Pick<ClaimPlace, 'server'>;
  readonly found: Inputs;
}

/** Hosts of another namespace that this wildcard stands for, or the other way round; of several the first by name. */
export function rivalOf(want: Want, { owner, place, found }: At): Claim | undefined {
  return (found.get(claimInputs.related) ?? [])
    .map(claimOf)
    .filter(({ spec }) => spec.server === place.server && spec.namespace !== owner.metadata.namespace)
    .filter(({ spec }) => spec.state !== 'Waiting' && overlap(spec, want))
    .toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1))[0];
}

/** Whose holders are looked at: what the service wants and lacks, and the first of its rivals. */
function lookedAt(wants: readonly Want[], at: At): readonly Claim[] {
  const [rival] = wants.flatMap((want) => rivalOf(want, at) ?? []);
  return [...(at.found.get(claimInputs.taken) ?? []).map(claimOf), ...(rival === undefined ? [] : [rival])];
}

/**
 * Who holds what the service wants may be gone without having given it back: asked where it does not wait to be woken. And who else
 * waits for what is free, or about to be, whose turn it may be.
 */
export function holderQueries(
  wants: readonly Want[],
  at: At & Pick<Asking, 'tries'>,
  controllerNamespace: string,
): readonly NamedQuery[] {
  const { owner, found, tries } = at;
  const holders = tries ? lookedAt(wants, at).flatMap(({ spec }) => holdersOf(spec)) : [];
  const free = (found.get(claimInputs.taken) ?? [])
    .map(claimOf)
    .find((claim) => claim.spec.namespace !== owner.metadata.namespace && mayBeFree(claim, at));
  return [...holders, ...(free === undefined ? [] : [lineFor(free, controllerNamespace)])];
}

function holdersOf({ namespace, services }: Claim['spec']): readonly NamedQuery[] {
  const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace } as const;
  return services.slice(0, mostHolders).map(({ name }): NamedQuery => {
    const query = { what: 'object', ref: { ...kind, name }, metadataOnly: true } as const;
    return { name: claimInputs.holders, query };
  });
}

function mayBeFree(claim: Claim, at: Pick<At, 'owner' | 'found'>): boolean {
  return claim.spec.state === 'Released' || claim.spec.services.every(({ uid }) => isGone(uid, claim, at));
}

function lineFor({ metadata }: Claim, namespace: string): NamedQuery {
  const labelSelector = `${labels.claim}=${metadata.name}`;
  const query = { what: 'list', apiVersion: 'frp.io/v1beta1', kind: 'Claim', namespace, labelSelector } as const;
  return { name: claimInputs.line, query };
}

/** Whether others have waited for it for longer than the service, which may not wait for it yet. */
export function isNotNext({ metadata }: Claim, { owner, found }: Pick<At, 'owner' | 'found'>): boolean {
  const [next] = (found.get(claimInputs.line) ?? [])
    .map(claimOf)
    .filter((one) => one.metadata.labels?.[labels.claim] === metadata.name)
    .toSorted((one, other) => (turnOf(one) < turnOf(other) ? -1 : 1));
  return next !== undefined && !next.spec.services.some(({ uid }) => uid === owner.metadata.uid);
}

/** As `claim-changed` wakes them. */
function turnOf({ metadata, spec }: Claim): string {
  return `${spec.since} ${metadata.name}`;
}

/** Whether a holder is no more, or is another by now, as far as that was looked for. */
export function isGone(uid: string, { spec }: Claim, { owner, found }: Pick<At, 'owner' | 'found'>): boolean {
  const index = spec.services.findIndex((one) => one.uid === uid);
  const name = spec.services[index]?.name;
  // Of one name there is one: this service is here, so that one is not.
  if (spec.namespace === owner.metadata.namespace && name === owner.metadata.name) return true;
  const holders = found.get(claimInputs.holders);
  if (holders === undefined || index >= mostHolders) return false;
  return !holders.some(({ metadata }) => isThat(metadata, { uid, name }));
}

function isThat(
  metadata: KubeObject['metadata'],
  { uid, name }: { readonly uid: string; readonly name: string | undefined },
): boolean {
  return metadata.uid === uid && metadata.name === name;
}

/** Whether no holder of a rival's Claim exists any more; only for the first rival, whose holders were looked for. */
export function isLost(rival: Claim, wants: readonly Want[], at: At): boolean {
  const [first] = wants.flatMap((want) => rivalOf(want, at) ?? []);
  return first?.metadata.name === rival.metadata.name && rival.spec.services.every(({ uid }) => isGone(uid, rival, at));
}
