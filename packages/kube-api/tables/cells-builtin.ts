import type { Json, JsonObject } from '../json.ts';
import { isObject, objectAt } from '../json.ts';
import { ageOf, durationOf } from './age.ts';
import type { Cell, Cells } from './cell.ts';
import { first, labels, shortened } from './cell-texts.ts';
import { storedCells } from './cells-stored.ts';
import { findPath } from './json-path.ts';

/** The cell for a column of a built-in kind, by its header in lower case. */
export function builtinCell(kind: string, column: string): Cell | undefined {
  const ofKind = Object.hasOwn(cells, kind) ? cells[kind] : undefined;
  return ofKind !== undefined && Object.hasOwn(ofKind, column) ? ofKind[column] : shared[column];
}

const shared: Cells = {
  age: (object, now) => ageOf(first(object, '.metadata.creationTimestamp'), now),
  'created at': '.metadata.creationTimestamp',
  name: '.metadata.name',
  containers: '.spec.template.spec.containers[*].name',
  images: '.spec.template.spec.containers[*].image',
  selector: (object) => labels(objectAt(object, 'spec', 'selector', 'matchLabels')),
  role: (object) => `${first(object, '.roleRef.kind')}/${first(object, '.roleRef.name')}`,
  users: (object) => findPath(object, '.subjects[?(@.kind=="User")].name').join(', '),
  groups: (object) => findPath(object, '.subjects[?(@.kind=="Group")].name').join(', '),
  serviceaccounts: (object) =>
    findPath(object, '.subjects[?(@.kind=="ServiceAccount")]')
      .map((subject) => `${first(subject, '.namespace')}/${first(subject, '.name')}`)
      .join(', '),
};

/** Kind → column → its cell, as the printers of Kubernetes have them. */
const cells: Readonly<Record<string, Cells>> = {
  ...storedCells,
  ConfigMap: { data: (object) => size(object, 'data') + size(object, 'binaryData') },
  Secret: { type: '.type', data: (object) => size(object, 'data') },
  Namespace: { status: '.status.phase' },
  Lease: { holder: '.spec.holderIdentity' },
  Pod: {
    ready: (pod) =>
      `${findPath(pod, '.status.containerStatuses[?(@.ready==true)]').length}/${findPath(pod, '.spec.containers[*]').length}`,
    status: podStatus,
    restarts: (pod) => String(sum(findPath(pod, '.status.containerStatuses[*].restartCount'))),
    ip: '.status.podIP|<none>',
    node: '.spec.nodeName|<none>',
    'nominated node': '.status.nominatedNodeName|<none>',
    'readiness gates': '.spec.readinessGates[*].conditionType|<none>',
  },
  Deployment: {
    ready: (object) => `${count(object, '.status.readyReplicas')}/${count(object, '.spec.replicas')}`,
    'up-to-date': '#.status.updatedReplicas',
    available: '#.status.availableReplicas',
  },
  ReplicaSet: { desired: '#.spec.replicas', current: '#.status.replicas', ready: '#.status.readyReplicas' },
  Service: {
    type: '.spec.type',
    'cluster-ip': '.spec.clusterIP|<none>',
    'external-ip': externalIp,
    'port(s)': (service) => findPath(service, '.spec.ports[*]').map(portText).join(',') || '<none>',
    selector: (service) => labels(objectAt(service, 'spec', 'selector')),
  },
  Node: {
    status: nodeStatus,
    roles: nodeRoles,
    version: '.status.nodeInfo.kubeletVersion',
    'internal-ip': '.status.addresses[?(@.type=="InternalIP")].address|<none>',
    'external-ip': '.status.addresses[?(@.type=="ExternalIP")].address|<none>',
    'os-image': '.status.nodeInfo.osImage|<unknown>',
    'kernel-version': '.status.nodeInfo.kernelVersion|<unknown>',
    'container-runtime': '.status.nodeInfo.containerRuntimeVersion|<unknown>',
  },
  Job: {
    status: jobStatus,
    completions: (job) => `${count(job, '.status.succeeded')}/${first(job, '.spec.completions') || 1}`,
    duration: jobDuration,
  },
  EndpointSlice: {
    addresstype: '.addressType',
    ports: (slice) => shortened(findPath(slice, '.ports[*].port')),
    endpoints: (slice) => shortened(findPath(slice, '.endpoints[*].addresses[*]')),
  },
  Event: {
    'last seen': (event, now) => seen(event, now, ['lastTimestamp', 'deprecatedLastTimestamp', ...firstSeen]),
    'first seen': (event, now) => seen(event, now, firstSeen),
    type: '.type',
    reason: '.reason',
    object: (event) => `${first(concerned(event), '.kind').toLowerCase()}/${first(concerned(event), '.name')}`,
    subobject: (event) => first(concerned(event), '.fieldPath'),
    source: eventSource,
    message: (event) => first(event, 'note' in event ? '.note' : '.message').trim(),
    count: (event) => Number(event['count'] ?? event['deprecatedCount'] ?? 1),
  },
};

function count(object: JsonObject, path: string): number {
  return Number(first(object, path));
}

function size(object: JsonObject, field: string): number {
  return Object.keys(objectAt(object, field)).length;
}

function sum(values: readonly Json[]): number {
  return values.reduce<number>((total, value) => total + Number(value), 0);
}

/** The phase, unless a container or a deletion has a more precise word; init containers are ignored. */
function podStatus(pod: JsonObject): string {
  const phase = first(pod, '.status.phase');
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  if (first(pod, '.metadata.deletionTimestamp') !== '' && !isOver) return 'Terminating';
  const reasons = ['waiting', 'terminated'].map((state) =>
    first(pod, `.status.containerStatuses[*].state.${state}.reason`),
  );
  return reasons.find((reason) => reason !== '') ?? (first(pod, '.status.reason') || phase);
}

function externalIp(service: JsonObject): string {
  const type = first(service, '.spec.type');
  if (type === 'ExternalName') return first(service, '.spec.externalName');
  const ips = [
    '.status.loadBalancer.ingress[*].ip',
    '.status.loadBalancer.ingress[*].hostname',
    '.spec.externalIPs[*]',
  ];
  return ips.flatMap((path) => findPath(service, path)).join(',') || (type === 'LoadBalancer' ? '<pending>' : '<none>');
}

function portText(port: Json): string {
  const node = first(port, '.nodePort');
  return `${first(port, '.port')}${node === '' ? '' : `:${node}`}/${first(port, '.protocol')}`;
}

function nodeStatus(node: JsonObject): string {
  const ready = first(node, '.status.conditions[?(@.type=="Ready")].status');
  const status = ready === '' ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
  return first(node, '.spec.unschedulable') === 'true' ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(node: JsonObject): string {
  const roles = Object.keys(objectAt(node, 'metadata', 'labels')).map(
    (label) => /^node-role\.kubernetes\.io\/(.+)/.exec(label)?.[1],
  );
  return (
    roles
      .filter((role) => role !== undefined)
      .sort()
      .join(',') || '<none>'
  );
}

function jobStatus(job: JsonObject): string {
  const isTrue = (type: string) => first(job, `.status.conditions[?(@.type=="${type}")].status`) === 'True';
  const ended = ['Complete', 'Failed'].find(isTrue);
  if (ended !== undefined) return ended;
  if (first(job, '.metadata.deletionTimestamp') !== '') return 'Terminating';
  return isTrue('Suspended') ? 'Suspended' : 'Running';
}

function jobDuration(job: JsonObject, now: number): string {
  const [start, end] = [first(job, '.status.startTime'), first(job, '.status.completionTime')];
  return start === '' ? '' : durationOf(((end === '' ? now : Date.parse(end)) - Date.parse(start)) / 1000);
}

const firstSeen = ['firstTimestamp', 'deprecatedFirstTimestamp', 'eventTime'];

function seen(event: JsonObject, now: number, fields: readonly string[]): string {
  return ageOf(
    fields.map((field) => first(event, `.${field}`)).find((moment) => moment !== ''),
    now,
  );
}

/** The object of an Event: the field has another name in each of its two groups. */
function concerned(event: JsonObject): JsonObject {
  return objectAt(event, 'regarding' in event ? 'regarding' : 'involvedObject');
}

function eventSource(event: JsonObject): string {
  const { component, host } = objectAt(event, isObject(event['deprecatedSource']) ? 'deprecatedSource' : 'source');
  const { reportingComponent, reportingController, reportingInstance } = event;
  const parts = [component || reportingComponent || reportingController, host || reportingInstance];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}
