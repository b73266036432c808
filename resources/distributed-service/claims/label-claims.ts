import { controllersOf } from '../../../packages/controller/decide/controllers.ts';
import type { Asking, Inputs, NamedQuery } from '../../../packages/controller/decide/resource.ts';
import { controllerOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { shortHash } from '../../../packages/controller/domain/names.ts';
import { childName, claimPrefix } from '../names.ts';
import { shapeProblemOf } from '../spec/shape.ts';
import type { DistributedService, DistributedServiceSpec } from '../types.ts';
import { tellWant, type Want, wantsOf } from './wants.ts';

/**
 * Before Claims were objects, a service claimed a host or port by a label on its balanced Service, and the oldest service with that
 * label held it. After an upgrade such a label still counts until its service makes a Claim and releases the label: at the service's
 * next event, which is the resync at the latest.
 */
const labelInputs = { services: 'label-claims', rivals: 'label-rivals' } as const;

const held = 'held';

/** Queries for services that hold these by such a label: one list per path, one read per hit. */
export function labelQueries(
  { metadata, spec }: DistributedService,
  wants: readonly Want[],
  { found, home }: Pick<Asking, 'found'> & { readonly home: string },
): readonly NamedQuery[] {
  const lists = wants
    .flatMap((want) => keysOf(want, spec, home))
    .map((labelSelector): NamedQuery => {
      const query = { what: 'list', apiVersion: 'v1', kind: 'Service', namespace: '', labelSelector } as const;
      return { name: labelInputs.services, query: { ...query, metadataOnly: true } };
    });
  const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
  const services = found.get(labelInputs.services) ?? [];
  return [...lists, ...controllersOf(services, { name: labelInputs.rivals, except: metadata.uid ?? '', ...kind })];
}

/** The older service that holds by a label what this one wants; undefined if no service does. */
export function holderByLabel(
  owner: DistributedService,
  want: Want,
  { found, home }: { readonly found: Inputs; readonly home: string },
): DistributedService | undefined {
  const services = found.get(labelInputs.services) ?? [];
  const keys = keysOf(want, owner.spec, home);
  return (found.get(labelInputs.rivals) ?? [])
    .map((one) => one as DistributedService)
    .filter(({ metadata }) => metadata.uid !== owner.metadata.uid)
    .filter((other) => isOlder(other, owner) && wants(other, want, owner))
    .find((other) => {
      const balanced = services.find((service) => isBalancedOf(service, other));
      return keys.some((key) => balanced?.metadata.labels?.[key] === held);
    });
}

/** Whether the spec of a service names this. Anybody can write a label, so the label alone proves nothing. */
function wants({ metadata, spec }: DistributedService, want: Want, owner: DistributedService): boolean {
  if (shapeProblemOf(spec) !== undefined || spec.serverProfile !== owner.spec.serverProfile) return false;
  const isNeighbour = metadata.namespace === owner.metadata.namespace;
  return wantsOf(spec, {}).some(
    ({ kind, value, locations }) =>
      kind === want.kind &&
      value === want.value &&
      (!isNeighbour || locations.some((path) => want.locations.includes(path))),
  );
}

/** The keys of the labels of that time: one for each path of a host, and the two that stand for the whole host. */
function keysOf(want: Want, { serverProfile }: DistributedServiceSpec, home: string): readonly string[] {
  const all = want.kind === 'Host' || want.kind === 'Subdomain' ? ['', '/'] : [];
  return [...new Set([...want.locations, ...all])].map((path) => {
    const text = `${tellWant(want)}${path === '' ? '' : ` with path ${path}`}`;
    return `${claimPrefix}${shortHash(`${home}/${serverProfile} ${text}`)}`;
  });
}

function isOlder({ metadata: one }: DistributedService, { metadata: other }: DistributedService): boolean {
  const [left = '', right = ''] = [one, other].map(({ creationTimestamp = '', namespace = '', name }) =>
    [creationTimestamp, namespace, name].join('\n'),
  );
  return left < right;
}

function isBalancedOf(service: KubeObject, { metadata }: DistributedService): boolean {
  const { name, namespace } = service.metadata;
  return (
    namespace === metadata.namespace &&
    name === childName(metadata.name, 'balanced') &&
    controllerOf(service)?.uid === metadata.uid
  );
}
