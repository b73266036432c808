import type { DistributedService, DistributedServiceSpec } from '../../domain/distributed-service.ts';
import { controllerOf, type KubeObject } from '../../domain/kube-object.ts';
import { childName, claimPrefix, mostClaims, shortHash } from '../../domain/names.ts';
import type { Observed } from '../../domain/plan.ts';
import { controllersOf } from '../controllers.ts';
import { belongsTo } from '../owned.ts';
import type { Inputs, NamedQuery } from '../resource.ts';
import type { ProfileFinding } from './profile.ts';
import { shapeProblemOf } from './spec-shape.ts';
import { scalerKey } from './workload.ts';

/** The reason of `ConfigurationValid` where an older service has what this one wants at the FRP server. */
export const conflictReason = 'ConflictingExposure';

const held = 'held';
const released = 'released';

/** What a service wants at its FRP server and what only one can have there, for people. */
export function claimsOf({ serviceType, expose = {} }: DistributedServiceSpec): readonly string[] {
  if (serviceType !== 'http')
    return expose.remotePort === undefined ? [] : [`${serviceType} port ${String(expose.remotePort)}`];
  const hosts = [
    ...(expose.domains ?? []).map((domain) => `domain ${domain.toLowerCase()}`),
    ...(expose.subdomain === undefined ? [] : [`subdomain ${expose.subdomain.toLowerCase()}`]),
  ];
  // frps sends a request to the longest path that fits, so two services share a host as long as no path is the same.
  const paths = expose.locations?.length ? expose.locations.map((location) => ` with path ${location}`) : [''];
  const claims = new Set(hosts.flatMap((host) => paths.map((path) => `${host}${path}`)));
  return [...claims].sort().slice(0, mostClaims);
}

/**
 * Whose labels say that they want the same, and who they are. The labels stand on the balanced Service of each service: they
 * are found by a selector, so that nobody reads all services, and when they change or go, that is an event.
 */
export function claimQueries(
  { metadata, spec }: DistributedService,
  { home, found }: { readonly home: string | undefined; readonly found: Inputs },
): NamedQuery[] {
  const claims = claimsOf(spec);
  if (claims.length === 0 || home === undefined) return [];
  const lists = claims.map((claim): NamedQuery => {
    const labelSelector = keyOf(claim, { namespace: home, name: spec.serverProfile });
    const where = { what: 'list', apiVersion: 'v1', kind: 'Service', namespace: '', labelSelector } as const;
    return { name: rivalClaims, query: { ...where, metadataOnly: true } };
  });
  const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
  const services = found.get(rivalClaims) ?? [];
  return [...lists, ...controllersOf(services, { name: rivals, except: metadata.uid ?? '', ...kind })];
}

const rivalClaims = 'rival-claims';
const rivals = 'rivals';

/** How it stands with what a service wants at the server. */
export interface ClaimFinding {
  /** The labels of its balanced Service. */
  readonly labels: Readonly<Record<string, string>>;
  /** They are not all there yet. First they must stand, then the others' are read: of two who do so at least one sees the other. */
  readonly pending: boolean;
  readonly conflict?: string;
}

/** The oldest keeps it: each sees the same order, so without talking to each other all agree. */
export function findClaims(observed: Observed<DistributedService>, profile: ProfileFinding): ClaimFinding {
  const { owner, children } = observed;
  const child = children.get('balanced');
  const live = child === undefined || belongsTo(child, owner) !== 'ours' ? {} : claimLabels(child);
  if (profile.is !== 'usable') return { labels: live, pending: false };
  const server = { namespace: profile.configMap.metadata.namespace ?? '', name: owner.spec.serverProfile };
  const claims = new Map(claimsOf(owner.spec).map((claim) => [claim, keyOf(claim, server)]));
  const scaler = scalerKey(owner);
  const keys = [...claims.values(), ...(scaler === undefined ? [] : [scaler])];
  const wanted = Object.fromEntries(keys.map((key) => [key, held]));
  const pending = Object.keys(wanted).some((key) => live[key] !== held);
  const labels = { ...releasedOf(live, wanted), ...wanted };
  const conflict = pending ? undefined : conflictOf(observed, claims);
  return { labels, pending, ...(conflict !== undefined && { conflict }) };
}

/** What is wanted no more keeps its label, with another value: the event of that change still tells whom it concerns. */
function releasedOf(live: Readonly<Record<string, string>>, wanted: object): Readonly<Record<string, string>> {
  const gone = Object.entries(live).filter(([key]) => !Object.hasOwn(wanted, key));
  const news = gone.filter(([, value]) => value !== released);
  return Object.fromEntries((news.length > 0 ? news : gone).map(([key]) => [key, released]));
}

function conflictOf(
  { owner, inputs }: Observed<DistributedService>,
  claims: ReadonlyMap<string, string>,
): string | undefined {
  const services = inputs.get(rivalClaims) ?? [];
  const others = (inputs.get(rivals) ?? []).filter((other) => other.metadata.uid !== owner.metadata.uid);
  for (const other of others.map((one) => one as DistributedService).sort(byAge)) {
    if (byAge(other, owner) > 0) return undefined;
    // The label is an index that its owner could have written himself; what he wants stands in his spec.
    const told = claimLabels(services.find((service) => isBalancedOf(service, other)));
    const wants = new Set(isOfServer(other, owner) ? claimsOf(other.spec) : []);
    const claim = [...claims].find(([one, key]) => wants.has(one) && told[key] === held);
    if (claim !== undefined) return `the ${claim[0]} of the FRP server belongs to ${named(other, owner)}`;
  }
  return undefined;
}

function isOfServer({ spec }: DistributedService, { spec: own }: DistributedService): boolean {
  return shapeProblemOf(spec) === undefined && spec.serverProfile === own.serverProfile;
}

/** Of another namespace not even the name is told. */
function named({ metadata }: DistributedService, { metadata: own }: DistributedService): string {
  const who = metadata.namespace === own.namespace ? `DistributedService ${metadata.name}` : 'one of another namespace';
  return `${who}, which is older: choose another, or wait until that one gives it up`;
}

function byAge({ metadata: one }: DistributedService, { metadata: other }: DistributedService): number {
  const keys = [one, other].map(({ creationTimestamp = '', namespace = '', name }) =>
    [creationTimestamp, namespace, name].join('\n'),
  );
  const [left = '', right = ''] = keys;
  return left < right ? -1 : left > right ? 1 : 0;
}

function isBalancedOf(service: KubeObject, { metadata }: DistributedService): boolean {
  const { name, namespace } = service.metadata;
  return (
    namespace === metadata.namespace &&
    name === childName(metadata.name, 'balanced') &&
    controllerOf(service)?.uid === metadata.uid
  );
}

/** The labels of a Service that say what its owner wants. */
function claimLabels(service: KubeObject | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(service?.metadata.labels ?? {}).filter(([key]) => key.startsWith(claimPrefix)),
  );
}

/** One for each thing of each server, so that nobody hears of those who want the same of another. */
function keyOf(claim: string, { namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${claimPrefix}${shortHash(`${namespace}/${name} ${claim}`)}`;
}
