import type { Asking, NamedQuery } from '../../../packages/controller/decide/resource.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { exposureDigest } from '../frp/exposed-proxy.ts';
import type { ServerProfile } from '../frp/server-profile.ts';
import { annotations, labels, underPrefix } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { holderQueries } from './claim-holders.ts';
import { type ClaimPlace, claimantLabel, claimInputs, claimOf, claimRef, suffixKey } from './claim-objects.ts';
import { labelQueries } from './label-claims.ts';
import { conflictReason } from './reasons.ts';
import { bare, isWildcard, overlap, pathsOf, suffixesOf, type Want, wantsOf } from './wants.ts';

/** Queries for the Claims that name this service. They need its name only, because they are read before its spec. */
export function ownClaims(owner: ObjectRef, controllerNamespace: string): NamedQuery {
  return { name: claimInputs.own, query: listOf(controllerNamespace, claimantLabel(owner)) };
}

function listOf(namespace: string, labelSelector: string): NamedQuery['query'] {
  return { what: 'list', apiVersion: 'frp.io/v1beta1', kind: 'Claim', namespace, labelSelector };
}

/** The Claims of a service by state: held, released, waiting. */
export interface OwnClaims {
  readonly held: readonly KubeObject[];
  readonly released: readonly KubeObject[];
  readonly waiting: readonly KubeObject[];
}

export function sortOwn({ metadata }: DistributedService, claims: readonly KubeObject[]): OwnClaims {
  const own = claims.map(claimOf).filter(({ spec }) => spec.services.some(({ uid }) => uid === metadata.uid));
  const of = (state: string) => own.filter(({ spec }) => spec.state === state);
  return { held: of('Held'), released: of('Released'), waiting: of('Waiting') };
}

/** Whether the service holds this Claim, with just the paths that it wants. */
export function holds({ metadata }: DistributedService, want: Want, claim: KubeObject | undefined): boolean {
  if (claim === undefined) return false;
  const { state, services } = claimOf(claim).spec;
  const entry = services.find(({ uid }) => uid === metadata.uid);
  return state === 'Held' && entry !== undefined && pathsOf(entry.locations).join('\n') === want.locations.join('\n');
}

/** The waiting Claim of a service for this host or port, or for one that overlaps it. */
export function waitsFor(want: Want, waiting: readonly KubeObject[]): KubeObject | undefined {
  return waiting.find((claim) => {
    const { spec } = claimOf(claim);
    return (spec.kind === want.kind && spec.value === want.value) || overlap(spec, want);
  });
}

/** All services claim in one order, so that two of them never wait for each other. */
export function inOrder(wants: readonly Want[], place: ClaimPlace): readonly Want[] {
  const names = new Map(wants.map((want) => [want, claimRef(want, place).name]));
  const nameOf = (want: Want): string => names.get(want) ?? '';
  return wants.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** The mark of a published configuration: a hash of the Claims that it was made for. */
export function publishedMark(wants: readonly Want[], place: ClaimPlace): string {
  const names = wants.map((want) => claimRef(want, place).name);
  return markOf(names, place.hash);
}

/** The mark of a configuration that was made for the Claims of these names. */
export function markOf(names: readonly string[], hash: ClaimPlace['hash']): string {
  return hash(names.toSorted().join('\n'));
}

/** Queries for Claims. A service that holds and has published all that it wants reads no Claim of others. */
export function claimQueries(
  owner: DistributedService,
  { profile, place }: { readonly profile: ServerProfile; readonly place: ClaimPlace },
  asking: Asking,
): readonly NamedQuery[] {
  const wants = inOrder(wantsOf(owner.spec, profile), place);
  // Only a look at a service that may be at rest leaves its Claims out. It needs none if its status says that it holds all: an event
  // reports each Claim that is released.
  if (!asking.found.has(claimInputs.own))
    return isPublished(owner, { wants, profile, place }, asking)
      ? []
      : [ownClaims(refOf(owner), asking.controllerNamespace)];
  const { held, waiting } = sortOwn(owner, asking.found.get(claimInputs.own) ?? []);
  const lacking = wants.filter((want) => !holds(owner, want, byName(held, claimRef(want, place))));
  const [first] = lacking;
  const isWaiting = first !== undefined && isInConflict(owner) && waitsFor(first, waiting) !== undefined;
  if (isWaiting && !asking.tries) return [];
  const taken = lacking.map(
    (want): NamedQuery => ({ name: claimInputs.taken, query: { what: 'object', ref: claimRef(want, place) } }),
  );
  return [
    ...taken,
    ...(lacking.length > 0 || !isPublished(owner, { wants, profile, place }, asking)
      ? relatedQueries(wants, place)
      : []),
    ...holderQueries(wants, { owner, place, ...asking }, place.controllerNamespace),
    ...(asking.found.has(claimInputs.taken)
      ? labelQueries(owner, absentOf(lacking, place, asking), { found: asking.found, home: homeOf(place) })
      : []),
  ];
}

/**
 * Whether the last pass found a conflict, and the spec is still the one that it read. A waiting Claim alone does not say so: it names a host
 * and no paths, and stays behind where the API server refuses the writes of a new spec.
 */
function isInConflict({ metadata, status }: DistributedService): boolean {
  const found = status?.conditions?.find(({ reason }) => reason === conflictReason);
  return found?.observedGeneration !== undefined && found.observedGeneration === metadata.generation;
}

function homeOf({ server }: ClaimPlace): string {
  return server.slice(0, server.indexOf('/'));
}

/** The wants that the service lacks and for which there is no Claim. */
function absentOf(lacking: readonly Want[], place: ClaimPlace, { found }: Asking): readonly Want[] {
  const taken = found.get(claimInputs.taken) ?? [];
  return lacking.filter((want) => byName(taken, claimRef(want, place)) === undefined);
}

export function byName(objects: readonly KubeObject[], { name }: Pick<ObjectRef, 'name'>): KubeObject | undefined {
  return objects.find(({ metadata }) => metadata.name === name);
}

interface Publishing {
  readonly wants: readonly Want[];
  readonly profile: ServerProfile;
  readonly place: ClaimPlace;
}

/**
 * Whether an earlier pass has found that the service holds all of this and has no rival. The mark alone proves little: everybody who may
 * write in the namespace can set it. So the digest in the status must fit too.
 */
function isPublished(owner: DistributedService, { wants, profile, place }: Publishing, { children }: Asking): boolean {
  const mark = children.get('config')?.metadata.annotations?.[annotations.claims];
  const { namespace, name } = profile.configMap;
  const digest = exposureDigest(owner, { server: `${namespace}/${name}`, hash: place.hash });
  return mark === publishedMark(wants, place) && owner.status?.exposureDigest === digest;
}

/** Queries for Claims that overlap: one list of wildcards above the wanted hosts, and one of hosts below each wanted wildcard. */
function relatedQueries(wants: readonly Want[], { server, controllerNamespace }: ClaimPlace): readonly NamedQuery[] {
  const hosts = wants.filter(({ kind }) => kind === 'Host');
  if (hosts.length === 0) return [];
  const suffixes = new Set(hosts.flatMap(({ value }) => suffixesOf(value)));
  const keys = [...suffixes].map((suffix) => suffixKey(server, suffix)).sort();
  const selectors = [
    `${labels.wildcard} in (${keys.join(',')})`,
    ...hosts.filter(isWildcard).map(({ value }) => `${underPrefix}${suffixKey(server, bare(value))}`),
  ];
  return selectors.map((selector) => ({ name: claimInputs.related, query: listOf(controllerNamespace, selector) }));
}
