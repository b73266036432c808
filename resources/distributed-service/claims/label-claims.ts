import { controllersOf } from '../../../packages/controller/decide/controllers.ts';
import type { Asking, Inputs, NamedQuery } from '../../../packages/controller/decide/resource.ts';
import { controllerOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { shortHash } from '../../../packages/controller/domain/names.ts';
import { childName, claimPrefix } from '../names.ts';
import { shapeProblemOf } from '../spec/shape.ts';
import type { DistributedService, DistributedServiceSpec } from '../types.ts';
import { tellWant, type Want, wantsOf } from './wants.ts';

/**
 * Claims before they were objects: labels of balanced Services, of which the oldest service had it. Who upgrades has those
 * still. Nobody takes what an older service has by such a label: that one makes a Claim of it at its next event, the resync at the
 * latest, and then loses the label.
 */
const labelInputs = { services: 'label-claims', rivals: 'label-rivals' } as const;

const held = 'held';

/** Who has these by labels: one list for each path, and one read for each that is found. */
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

/** The service that has what another wants by a label and by its age; undefined where there is none. */
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

/** Labels are an index that anybody could have written; what a service wants stands in its spec. */
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

/** As they were: one for each path of a host of a server. Of those that others may have the two that stand for all of it. */
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
