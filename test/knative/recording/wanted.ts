import { ways } from './plumbing.ts';
import type { Received } from './receiver.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of an object that may be anything, down a path. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (found as Fields | null | undefined)?.[key], value);
}

type IsMeant = (one: Received) => boolean;

const every =
  (...all: readonly IsMeant[]): IsMeant =>
  (one) =>
    all.every((isMeant) => isMeant(one));
const on =
  (way: string): IsMeant =>
  ({ path }) =>
    path.startsWith(way);
const about =
  (kind: string, name: string): IsMeant =>
  ({ headers }) =>
    headers['ce-kind'] === kind && headers['ce-name'] === name;
const verb =
  (wanted: string): IsMeant =>
  ({ headers }) =>
    headers['ce-type']?.endsWith(`.${wanted}`) === true;
const typed =
  (type: string): IsMeant =>
  ({ headers }) =>
    headers['ce-type'] === type;
const has =
  (value: unknown, ...path: readonly string[]): IsMeant =>
  ({ body }) =>
    at(body, ...path) === value;
const generation = (number: number): IsMeant => has(number, 'metadata', 'generation');
const some =
  (...path: readonly string[]): IsMeant =>
  ({ body }) =>
    at(body, ...path) !== undefined;
/** The slice has a name of its own. */
const ofSlice: IsMeant = ({ headers, body }) =>
  headers['ce-kind'] === 'EndpointSlice' && at(body, 'metadata', 'labels', 'kubernetes.io/service-name') === 'web';

/** Its name is a hash. */
const ofClaim = (type: string, port: string): IsMeant =>
  every(on(ways.objects), verb(type), has('Claim', 'kind'), has(port, 'spec', 'value'));

/** An object in a few words: `add Pod p1`. */
const said = (what: string): IsMeant => {
  const [type = '', kind = '', name = ''] = what.split(' ');
  return every(about(kind, name), verb(type));
};
const whole = (what: string, ...more: readonly IsMeant[]): IsMeant => every(on(ways.objects), said(what), ...more);
const reference = (what: string): IsMeant => every(on(ways.references), said(what));
const slice = (type: string, ...more: readonly IsMeant[]): IsMeant =>
  every(on(ways.objects), ofSlice, verb(type), ...more);

const podUpdate = every(on(ways.fn), about('Pod', 'p1'), verb('update'), has('yes', 'metadata', 'labels', 'changed'));

/** Each recording by its name in test/fixtures/events, and which delivery it is: the first that is meant. */
export const wanted = {
  'broker/broker-function-receives-pod-update': podUpdate,
  'broker/broker-function-receives-reply-event': every(on(ways.fn), typed('fn.reply')),
  'cluster-scoped/ref-priority-class-add': reference('add PriorityClass ev-other'),
  'claim-changed/claim-update-released': every(ofClaim('update', '7001'), has('Released', 'spec', 'state')),
  'claim-changed/claim-delete': ofClaim('delete', '7002'),
  'config-map-changed/configmap-add': whole('add ConfigMap c1'),
  'config-map-changed/configmap-update': whole('update ConfigMap c1'),
  'config-map-changed/configmap-delete': whole('delete ConfigMap c1'),
  'dead-lettered/broker-deadletter-after-400': every(on(ways.dead), about('ConfigMap', 't400')),
  'dead-lettered/broker-deadletter-after-retries-500': every(on(ways.dead), about('ConfigMap', 't500')),
  'deployment-changed/deployment-add': whole('add Deployment web'),
  'deployment-changed/deployment-update-status': whole(
    'update Deployment web',
    generation(1),
    has(1, 'status', 'availableReplicas'),
  ),
  'deployment-changed/deployment-update-image': whole('update Deployment web', generation(2)),
  'deployment-changed/deployment-delete': whole('delete Deployment web'),
  'distributed-service-changed/distributedservice-add': whole('add DistributedService ds1'),
  'distributed-service-changed/distributedservice-update-status': whole(
    'update DistributedService ds1',
    generation(1),
    has(1, 'status', 'observedGeneration'),
  ),
  'distributed-service-changed/distributedservice-update-spec': whole('update DistributedService ds1', generation(2)),
  'distributed-service-changed/distributedservice-update-scale': whole('update DistributedService ds1', generation(3)),
  'distributed-service-changed/distributedservice-update-deletionTimestamp': whole(
    'update DistributedService ds1',
    some('metadata', 'deletionTimestamp'),
  ),
  'distributed-service-changed/distributedservice-delete': whole('delete DistributedService ds1'),
  'endpoint-slice-changed/endpointslice-add': slice('add'),
  'endpoint-slice-changed/endpointslice-update-ready': slice(
    'update',
    has(true, 'endpoints', '0', 'conditions', 'ready'),
  ),
  'endpoint-slice-changed/endpointslice-delete': slice('delete'),
  'event-recorded/pod-update-through-broker': podUpdate,
  'message-changed/message-add': whole('add Message hello'),
  'message-changed/message-update-spec': whole('update Message hello', generation(2)),
  'message-changed/message-delete': whole('delete Message hello'),
  'pod-changed/pod-add': whole('add Pod p1'),
  'pod-changed/pod-update-scheduled': whole('update Pod p1', some('spec', 'nodeName')),
  'pod-changed/pod-update-status-running': whole('update Pod p1', has('Running', 'status', 'phase')),
  'pod-changed/pod-update-label': whole('update Pod p1', has('yes', 'metadata', 'labels', 'changed')),
  'pod-changed/pod-update-deletionTimestamp': whole('update Pod p1', some('metadata', 'deletionTimestamp')),
  'pod-changed/pod-delete': whole('delete Pod p1'),
  'pod-changed/ref-pod-add': reference('add Pod p1'),
  'pod-changed/ref-pod-update': reference('update Pod p1'),
  'pod-changed/ref-pod-delete': reference('delete Pod p1'),
  'resync-due/continuation-through-broker': every(on(ways.fn), typed('dev.knudge.resync.due')),
  'resync-due/pingsource-through-broker': every(on(ways.fn), typed('dev.knative.sources.ping')),
  'secret-changed/ref-secret-add': reference('add Secret web-identity'),
  'secret-changed/ref-secret-update': reference('update Secret web-identity'),
  'secret-changed/ref-secret-delete': reference('delete Secret web-identity'),
  'service-changed/ref-service-add': reference('add Service web'),
  'service-changed/service-add': whole('add Service web'),
  'service-changed/service-update-annotation': whole('update Service web'),
  'service-changed/service-update-port': whole('update Service web2'),
  'service-changed/service-delete': whole('delete Service web'),
} as const satisfies Readonly<Record<string, IsMeant>>;

export type RecordingName = keyof typeof wanted;
