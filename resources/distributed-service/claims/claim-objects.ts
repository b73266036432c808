import { deletion } from '../../../packages/controller/decide/children.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { manager, shortHash } from '../../../packages/controller/domain/names.ts';
import type { Write } from '../../../packages/controller/domain/plan.ts';
import type { Given } from '../given.ts';
import { claimantPrefix, labels, underPrefix } from '../names.ts';
import type { DistributedService } from '../types.ts';
import type { Claim, ClaimSpec } from './types.ts';
import { bare, isWildcard, suffixesOf, type Want } from './wants.ts';

/** The names of the queries for Claims. */
export const claimInputs = {
  /** Claims that the service holds, has released, or waits with. */
  own: 'own-claims',
  /** Claims of hosts and ports that it wants and does not hold. */
  taken: 'taken-claims',
  /** The services that hold those Claims, and the ones that hold the Claim of its first rival. */
  holders: 'claim-holders',
  /** The waiting Claims for one that may be free. */
  line: 'claim-line',
  /** Claims of hosts that a wildcard of it covers, and of wildcards that cover one of its hosts. */
  related: 'related-claims',
} as const;

/** The namespace of the Claims, and the FRP server that they are about. */
export interface ClaimPlace extends Pick<Given, 'hash' | 'controllerNamespace'> {
  /** Namespace and name of the profile. */
  readonly server: string;
}

type Service = ClaimSpec['services'][number];

const kind = { apiVersion: 'frp.io/v1beta1', kind: 'Claim' } as const;

/** The Claim of a host or port. All services that want it make the same name, so that the API server decides which is first. */
export function claimRef(
  want: Pick<Want, 'kind' | 'value'>,
  { server, hash, controllerNamespace }: ClaimPlace,
): ObjectRef {
  return { ...kind, namespace: controllerNamespace, name: `claim-${hash([server, want.kind, want.value].join('\n'))}` };
}

/** The label by which a service finds the Claims that name it. */
export function claimantLabel({ namespace, name }: Pick<ObjectRef, 'namespace' | 'name'>): string {
  return `${claimantPrefix}${shortHash(`${namespace}/${name}`)}`;
}

/** A hash that stands for a domain of a server in labels. */
export function suffixKey(server: string, suffix: string): string {
  return shortHash(`${server} ${suffix}`);
}

export function claimOf(object: KubeObject): Claim {
  return object as Claim;
}

/** The entry of a service in a Claim. */
export function entryOf({ metadata }: DistributedService, { locations }: Pick<Want, 'locations'>): Service {
  return { uid: metadata.uid ?? '', name: metadata.name, locations };
}

/** A Claim that these services of one namespace hold, or held last. */
export function heldClaim({ want, namespace, services, ...times }: Holding, place: ClaimPlace): KubeObject {
  const ref = claimRef(want, place);
  const spec: ClaimSpec = { server: place.server, kind: want.kind, value: want.value, namespace, services, ...times };
  const claimants = services.map(({ name }) => [claimantLabel({ namespace, name }), 'true']);
  return draft(ref, { ...Object.fromEntries(claimants), ...suffixLabels(want, place.server) }, spec);
}

export interface Holding extends Pick<ClaimSpec, 'state' | 'namespace' | 'services' | 'since'> {
  readonly want: Pick<Want, 'kind' | 'value'>;
}

/** The Claim with which a service waits for another one. `heldBy` is shown to people of its namespace. */
export function waitingClaim(
  owner: DistributedService,
  { target, want, since, heldBy }: Waiting,
  { server }: ClaimPlace,
): KubeObject {
  const { namespace = '', name, uid = '' } = owner.metadata;
  const { kind: what, value } = want;
  const services = [entryOf(owner, { locations: [] })];
  const spec: ClaimSpec = { server, kind: what, value, state: 'Waiting', namespace, services, since, heldBy };
  const ref = { ...target, name: `${target.name}-${shortHash(uid)}` };
  return draft(ref, { [claimantLabel({ namespace, name })]: 'true', [labels.claim]: target.name }, spec);
}

export interface Waiting extends Required<Pick<ClaimSpec, 'since' | 'heldBy'>> {
  readonly target: ObjectRef;
  /** The host or port of the target. */
  readonly want: Pick<Want, 'kind' | 'value'>;
}

/** Takes a service out of a Claim. After the last one the Claim is deleted or, with `releasedAt`, kept for the namespace for a while. */
export function withoutService(claim: Claim, { metadata }: DistributedService, at: LettingGo): Write {
  const services = claim.spec.services.filter(({ uid }) => uid !== metadata.uid);
  const { namespace, since, state } = claim.spec;
  if (services.length > 0) return changed(claim, { want: claim.spec, namespace, services, since, state }, at.place);
  if (at.releasedAt === undefined) return deletion(claim, 'Background');
  const released = { state: 'Released', since: at.releasedAt, services: claim.spec.services } as const;
  return changed(claim, { want: claim.spec, namespace, ...released }, at.place);
}

export interface LettingGo {
  readonly place: ClaimPlace;
  /** If absent, the Claim is deleted at once. */
  readonly releasedAt?: string;
}

/** Changes a Claim that was read. The write fails if somebody else has changed it since. */
export function changed(live: Claim, holding: Holding, place: ClaimPlace): Write {
  const object = heldClaim(holding, { ...place, server: live.spec.server });
  return { do: 'apply', object: { ...object, metadata: { ...object.metadata, name: refOf(live).name } }, live };
}

function suffixLabels(want: Pick<Want, 'kind' | 'value'>, server: string): Readonly<Record<string, string>> {
  if (want.kind !== 'Host') return {};
  const under = suffixesOf(want.value).map((suffix) => [`${underPrefix}${suffixKey(server, suffix)}`, 'true']);
  const wildcard = isWildcard(want) ? { [labels.wildcard]: suffixKey(server, bare(want.value)) } : {};
  return { ...Object.fromEntries(under), ...wildcard };
}

function draft(
  { apiVersion, kind: of, namespace, name }: ObjectRef,
  own: Readonly<Record<string, string>>,
  spec: ClaimSpec,
): KubeObject {
  const metadata = { namespace, name, labels: { [labels.managedBy]: manager, ...own } };
  return { apiVersion, kind: of, metadata, spec } as KubeObject;
}
