import { at, type Case, core, del, get, group, mergePatch, until } from '../case.ts';
import { count, gone, isReady, items, made, none, path } from './running.ts';

const ofApp = '?labelSelector=app%3Dweb';
const ready = (pod: unknown) => conditionOf(pod, 'Ready') === 'True';
const readyPods = (count: number) => (body: unknown) => items(body).length === count && items(body).every(ready);
/** What controllers do by themselves, once it is done. */
export const controllerCases: readonly Case[] = [
  {
    name: 'a Deployment gets a ReplicaSet, and that gets Pods that become ready',
    given: made(2),
    steps: [
      get(path, { view: summary }),
      get(`${group('apps/v1', 'replicasets')}${ofApp}`, { view: (body) => items(body).map(summary) }),
      get(`${core('pods')}${ofApp}`, { view: (body) => items(body).map(podSummary) }),
    ],
  },
  {
    name: 'the conditions of a Deployment say when it is available and has made progress',
    given: [
      ...made(1),
      until(
        path,
        (body) =>
          conditionOf(body, 'Progressing') === 'True' && JSON.stringify(body).includes('NewReplicaSetAvailable'),
      ),
    ],
    steps: [get(path, { view: conditions })],
  },
  {
    name: 'a Deployment is scaled up and down',
    given: made(1),
    steps: [
      mergePatch(`${path}/scale`, { spec: { replicas: 3 } }, { view: (body) => at(body, 'spec') }),
      until(`${core('pods')}${ofApp}`, readyPods(3), { view: count }),
      until(path, isReady(3), { view: summary }),
      mergePatch(path, { spec: { replicas: 1 } }, { view: (body) => at(body, 'spec.replicas') }),
      until(`${core('pods')}${ofApp}`, readyPods(1), { view: count }),
      mergePatch(path, { spec: { replicas: 0 } }, { view: (body) => at(body, 'spec.replicas') }),
      until(`${core('pods')}${ofApp}`, none, { view: count }),
    ],
  },
  {
    name: 'a new template rolls a Deployment out to a second ReplicaSet',
    given: made(2),
    steps: [
      mergePatch(
        path,
        { spec: { template: { spec: { containers: [{ name: 'web', image: 'example.com/web:2' }] } } } },
        { view: (body) => at(body, 'metadata.generation') },
      ),
      until(path, (body) => isReady(2)(body), { view: summary }),
      until(
        `${group('apps/v1', 'replicasets')}${ofApp}`,
        (body) =>
          items(body)
            .map((set) => Number(at(set, 'status.replicas')))
            .sort()
            .join() === '0,2',
        { view: (body) => items(body).map(revision).sort() },
      ),
      until(`${core('pods')}${ofApp}`, readyPods(2), {
        view: (body) => items(body).map((pod) => at(pod, 'spec.containers.0.image')),
      }),
    ],
  },
  {
    name: 'a Pod that is deleted is replaced',
    given: [
      ...made(1),
      get(`${core('pods')}${ofApp}`, { save: { pod: 'items.0.metadata.name', uid: 'items.0.metadata.uid' } }),
    ],
    steps: [
      del(core('pods', '{pod}'), { gracePeriodSeconds: 0 }, { view: (body) => at(body, 'kind') }),
      until(core('pods', '{pod}'), gone, { view: (body) => at(body, 'reason') }),
      until(`${core('pods')}${ofApp}`, readyPods(1), { view: count }),
    ],
  },
  {
    name: 'a Deployment takes its ReplicaSets and Pods along, or leaves them as orphans',
    given: made(1),
    steps: [
      del(path, { propagationPolicy: 'Orphan' }, { view: (body) => at(body, 'status') }),
      until(path, gone, { view: (body) => at(body, 'reason') }),
      until(
        `${group('apps/v1', 'replicasets')}${ofApp}`,
        (body) => items(body).every((set) => at(set, 'metadata.ownerReferences') === undefined),
        { view: count },
      ),
      del(`${group('apps/v1', 'replicasets')}${ofApp}`, undefined, { view: count }),
      until(`${core('pods')}${ofApp}`, none, { view: count }),
    ],
  },
  {
    name: 'with Foreground a Deployment goes last',
    given: made(1),
    steps: [
      del(path, { propagationPolicy: 'Foreground' }, { view: (body) => at(body, 'metadata.finalizers') }),
      until(path, gone, { view: (body) => at(body, 'reason') }),
      get(`${core('pods')}${ofApp}`, { view: count }),
      get(`${group('apps/v1', 'replicasets')}${ofApp}`, { view: count }),
    ],
  },
  {
    name: 'a namespace takes a running Deployment along',
    given: made(1),
    steps: [
      del('/api/v1/namespaces/{ns}', undefined, { view: (body) => at(body, 'status') }),
      until('/api/v1/namespaces/{ns}', gone),
      get(`${core('pods')}`, { view: count }),
    ],
  },
];

function conditionOf(object: unknown, type: string): unknown {
  const all = at(object, 'status.conditions');
  return Array.isArray(all)
    ? at(
        all.find((each) => at(each, 'type') === type),
        'status',
      )
    : undefined;
}

/** Without managedFields: whose program wrote which field, and in how many steps, is the affair of the controllers. */
function summary(body: unknown): unknown {
  return {
    ...(body as object),
    metadata: { ...(at(body, 'metadata') as object), managedFields: undefined, resourceVersion: undefined },
    status: { ...(at(body, 'status') as object), conditions: undefined },
  };
}

function podSummary(body: unknown): unknown {
  const status = {
    phase: at(body, 'status.phase'),
    ready: conditionOf(body, 'Ready'),
    scheduled: conditionOf(body, 'PodScheduled'),
    initialized: conditionOf(body, 'Initialized'),
  };
  return { ...(summary(body) as object), status, containers: count({ items: at(body, 'status.containerStatuses') }) };
}

function conditions(body: unknown): unknown {
  return at(body, 'status.conditions');
}

function revision(set: unknown): unknown {
  const annotations = new Map(Object.entries((at(set, 'metadata.annotations') ?? {}) as object));
  return `revision ${String(annotations.get('deployment.kubernetes.io/revision'))}: ${String(at(set, 'status.replicas'))}`;
}

/** The addresses of Pods and the order of endpoints are the machine's. */
