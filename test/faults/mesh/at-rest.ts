import { describe, type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import type { Reader } from '../../../packages/controller/domain/ports.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { messagePodName } from '../../build/message-pod-name.ts';
import { resourceOf } from '../oracles/managed.ts';
import { childWrongs } from './child-wrongs.ts';
import { type Find, serviceWrongs } from './service-wrongs.ts';

/** What must be there in the end: the parents as their user left them, and how Knudge must speak of them. */
export interface Wanted {
  readonly namespace: string;
  /** Each of them must be `Processed` or `Running`; no other Message or DistributedService may be left. */
  readonly parents: readonly KubeObject[];
}

type Fields = Readonly<Record<string, unknown>>;
type Lister = Pick<Reader, 'list'>;

const kinds = [
  ['myorg.dev/v1', 'Message'],
  ['frp.io/v1beta1', 'DistributedService'],
  ['v1', 'Pod'],
  ['v1', 'Service'],
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'ReplicaSet'],
  ['discovery.k8s.io/v1', 'EndpointSlice'],
] as const;

/** Every object of a namespace that Knudge, its users or the cluster's controllers make. */
async function objectsOf(reader: Lister, namespace: string): Promise<readonly KubeObject[]> {
  const lists = kinds.map(([apiVersion, kind]) => reader.list({ apiVersion, kind, namespace, labelSelector: '' }));
  return (await Promise.all(lists)).flat();
}

/** What is not as it must be, a sentence each: empty when all has converged. Looks at objects only, on any API server. */
export async function wrongsOf(reader: Lister, { namespace, parents }: Wanted): Promise<readonly string[]> {
  const objects = await objectsOf(reader, namespace);
  const find = ({ kind, name }: Pick<ObjectRef, 'kind' | 'name'>): KubeObject | undefined =>
    objects.find((one) => one.kind === kind && one.metadata.name === name);
  return [
    ...parents.flatMap((parent) => wrongsOfParent(parent, objects, find)),
    ...objects.flatMap((object) => wrongsOfAny(object, { objects, parents })),
  ];
}

/** What each object is now: name, uid, version. Two that are equal: nobody wrote anything in between. */
export async function versionsOf(reader: Lister, namespace: string): Promise<readonly string[]> {
  const objects = await objectsOf(reader, namespace);
  return objects
    .map((object) => `${describe(refOf(object))} ${object.metadata.uid ?? ''} ${object.metadata.resourceVersion ?? ''}`)
    .sort();
}

function wrongsOfParent(wanted: KubeObject, objects: readonly KubeObject[], find: Find): readonly string[] {
  const who = describe(refOf(wanted));
  const live = find({ kind: wanted.kind, name: wanted.metadata.name });
  if (live === undefined) return [`${who} is not there`];
  const { generation } = live.metadata;
  const status = at(live, 'status');
  const goal = wanted.kind === 'Message' ? status['phase'] === 'Processed' : status['state'] === 'Running';
  return [
    ...(includes(at(live, 'spec'), at(wanted, 'spec')) ? [] : [`${who} is not what its user wrote last`]),
    ...(goal ? [] : [`${who} is ${String(status['phase'] ?? status['state'])}${openConditions(status)}`]),
    ...(status['observedGeneration'] === generation ? [] : [`the status of ${who} speaks of an older generation`]),
    ...(wanted.kind === 'Message'
      ? wrongsOfMessage(live, find)
      : serviceWrongs(live as DistributedService, objects, find)),
  ];
}

function wrongsOfMessage(message: KubeObject, find: Find): readonly string[] {
  const name = messagePodName(message.metadata.name);
  const pod = find({ kind: 'Pod', name });
  const { text } = at(message, 'spec');
  const [container] = (at(pod, 'spec')['containers'] ?? []) as readonly { env?: readonly { value?: string }[] }[];
  // The kubelet reads two dollars as one.
  const said = container?.env?.[0]?.value?.replaceAll('$$', '$');
  return [
    ...childWrongs(pod, `Pod ${name}`, message),
    ...(pod === undefined || said === text ? [] : [`Pod ${name} says ${String(said)} and not ${String(text)}`]),
    ...(pod === undefined || at(pod, 'status')['phase'] === 'Running' ? [] : [`Pod ${name} does not run`]),
    ...(at(message, 'status')['podName'] === name ? [] : [`${message.metadata.name} names another Pod`]),
  ];
}

interface Around {
  readonly objects: readonly KubeObject[];
  readonly parents: readonly KubeObject[];
}

function wrongsOfAny(object: KubeObject, { objects, parents }: Around): readonly string[] {
  const { metadata, kind } = object;
  const who = describe(refOf(object));
  const isThere = (uid: string): boolean => objects.some((one) => one.metadata.uid === uid);
  const lost = (metadata.ownerReferences ?? []).filter(({ uid }) => !isThere(uid));
  const label = metadata.labels?.[labels.ownerUid];
  const isExtra =
    resourceOf(object) !== undefined &&
    !parents.some((parent) => parent.kind === kind && parent.metadata.name === metadata.name);
  return [
    ...(isExtra
      ? [`${who} should be gone${metadata.finalizers === undefined ? '' : `: ${metadata.finalizers.join()}`}`]
      : []),
    ...(metadata.deletionTimestamp === undefined ? [] : [`${who} is still being deleted`]),
    ...lost.map((owner) => `${who} is an orphan of ${owner.kind} ${owner.name}`),
    ...(label === undefined || isThere(label) ? [] : [`${who} carries the uid of an owner that is gone`]),
  ];
}

function openConditions(status: Fields): string {
  const conditions = (status['conditions'] ?? []) as readonly { type: string; status: string; message?: string }[];
  const open = conditions.find((one) => one.status !== 'True');
  return open === undefined ? '' : ` (${open.type}: ${open.message ?? ''})`;
}

/** Everything that is wanted is there; lists must be equal in length. */
function includes(live: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return live === wanted;
  if (typeof live !== 'object' || live === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(live) || live.length !== wanted.length)) return false;
  return Object.entries(wanted).every(([key, value]) => includes(Reflect.get(live, key), value));
}

function at(object: KubeObject | undefined, field: 'spec' | 'status'): Fields {
  return (object === undefined ? {} : (Reflect.get(object, field) ?? {})) as Fields;
}
