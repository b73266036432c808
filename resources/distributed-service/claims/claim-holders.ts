import type { Asking, Inputs, NamedQuery } from '../../../packages/controller/decide/resource.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { type ClaimPlace, claimInputs, claimOf } from './claim-objects.ts';
import type { Claim } from './types.ts';
import { overlap, type Want } from './wants.ts';

/** A pass reads at most this many holders of one Claim, each by one read. */
export const mostHolders = 8;

interface At {
  readonly owner: DistributedService;
  readonly place: Pick<ClaimPlace, 'server'>;
  readonly found: Inputs;
}

/** The first Claim by name, of another namespace, whose host this wildcard covers, or whose wildcard covers this host. */
export function rivalOf(want: Want, { owner, place, found }: At): Claim | undefined {
  return (found.get(claimInputs.related) ?? [])
    .map(claimOf)
    .filter(({ spec }) => spec.server === place.server && spec.namespace !== owner.metadata.namespace)
    .filter(({ spec }) => spec.state !== 'Waiting' && overlap(spec, want))
    .toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1))[0];
}

/** The Claims whose holders a pass reads: those that the service wants and lacks, and its first rival. */
function lookedAt(wants: readonly Want[], at: At): readonly Claim[] {
  const [rival] = wants.flatMap((want) => rivalOf(want, at) ?? []);
  return [...(at.found.get(claimInputs.taken) ?? []).map(claimOf), ...(rival === undefined ? [] : [rival])];
}

/**
 * Reads the holders, because one may have been deleted without releasing its Claim; and the services that wait for a free Claim,
 * because one of them may be next. Holders are read only in the resync, or after an event that wakes a service that waits.
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

/** Whether another service has waited for this Claim for longer. This service need not wait for it yet. */
export function isNotNext({ metadata }: Claim, { owner, found }: Pick<At, 'owner' | 'found'>): boolean {
  const [next] = (found.get(claimInputs.line) ?? [])
    .map(claimOf)
    .filter((one) => one.metadata.labels?.[labels.claim] === metadata.name)
    .toSorted((one, other) => (turnOf(one) < turnOf(other) ? -1 : 1));
  return next !== undefined && !next.spec.services.some(({ uid }) => uid === owner.metadata.uid);
}

/** The sort key of a waiting Claim: `claim-changed` wakes services in the same order. */
function turnOf({ metadata, spec }: Claim): string {
  return `${spec.since} ${metadata.name}`;
}

/** Whether a holder was deleted, or another service has its name by now. False for a holder that this pass has not read. */
export function isGone(uid: string, { spec }: Claim, { owner, found }: Pick<At, 'owner' | 'found'>): boolean {
  const index = spec.services.findIndex((one) => one.uid === uid);
  const name = spec.services[index]?.name;
  // One namespace has one service of a name. This service exists, so the holder with its name was deleted.
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

/** Whether no holder of a rival's Claim exists any more. Only true for the first rival: of no other one the holders are read. */
export function isLost(rival: Claim, wants: readonly Want[], at: At): boolean {
  const [first] = wants.flatMap((want) => rivalOf(want, at) ?? []);
  return first?.metadata.name === rival.metadata.name && rival.spec.services.every(({ uid }) => isGone(uid, rival, at));
}
