import { at, type Case, core, del, get, group, mergePatch, post, type Step, until } from '../case.ts';
import { image, pod, replicaSet, service } from './bodies.ts';
import { count, gone, isReady, items, made, none, path } from './running.ts';

const sets = group('apps/v1', 'replicasets');
const slices = group('discovery.k8s.io/v1', 'endpointslices');
const ofApp = '?labelSelector=app%3Dweb';
const ofService = '?labelSelector=kubernetes.io/service-name%3Dweb';
const nothing = () => 'done';
const ownersOf = (body: unknown) => items(body).map(owner);
const owner = (object: unknown) => at(object, 'metadata.ownerReferences.0.kind') ?? 'nobody';
const owned = (number: number) => (body: unknown) =>
  items(body).length === number && items(body).every((one) => owner(one) !== 'nobody');
const orphaned = (number: number) => (body: unknown) =>
  items(body).length === number && items(body).every((one) => owner(one) === 'nobody');
const uids = { view: (body: unknown) => items(body).map((one) => at(one, 'metadata.uid')) };
const orphan = { propagationPolicy: 'Orphan' };
const quietly = (steps: readonly Step[]) => steps.map((step) => ({ ...step, view: nothing }));
const slice = (labels: object, owners: readonly object[] = []) => ({
  metadata: { name: 'web-other', labels, ownerReferences: owners },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.1.2.3'] }],
  ports: [{ port: 80 }],
});
const managed = {
  'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  'kubernetes.io/service-name': 'web',
};
const endpointsOf = (body: unknown) => items(body).map((one) => ((at(one, 'endpoints') ?? []) as unknown[]).length);

/**
 * The garbage collector lets go only of what it has heard of, and deletes the rest when the owner is gone (kube-controller-manager 1.35).
 * One EndpointSlice whose owner never was is deleted when it has heard of all before.
 */
const knownToCollector = [
  post(slices, slice({}, [{ apiVersion: 'v1', kind: 'Service', name: 'never', uid: 'never' }])),
  until(slices, (body) => !items(body).some((one) => at(one, 'metadata.name') === 'web-other')),
];

/** Seen once in some hundred runs. k8s.io/endpointslice 0.35, reconciler.go: what its Service does not own goes, and for one on its way out none is made. */
const chance =
  'its controller of slices deletes one that the garbage collector has let go while the Service is still there, on its way out';

/** What the controllers do with what nobody owns, and with what they should not own. */
export const orphansCases: readonly Case[] = [
  {
    name: 'a new Deployment takes over the ReplicaSet that another left, with its Pods',
    given: made(2),
    steps: [
      get(`${sets}${ofApp}`, uids),
      get(`${core('pods')}${ofApp}`, { view: count }),
      del(path, orphan, { view: nothing }),
      until(path, gone, { view: nothing }),
      until(`${sets}${ofApp}`, orphaned(1), uids),
      ...quietly(made(2)),
      until(`${sets}${ofApp}`, owned(1), uids),
      get(`${sets}${ofApp}`, { view: (body) => at(items(body)[0], 'metadata.ownerReferences') }),
      get(path, { view: (body) => at(body, 'metadata.annotations') }),
      get(`${core('pods')}${ofApp}`, { view: count }),
    ],
  },
  {
    name: 'a new Deployment of another template rolls the ReplicaSet out that another left',
    given: made(1),
    steps: [
      del(path, orphan, { view: nothing }),
      until(path, gone, { view: nothing }),
      until(`${sets}${ofApp}`, orphaned(1), { view: count }),
      post(
        group('apps/v1', 'deployments'),
        {
          metadata: { name: 'web' },
          spec: {
            replicas: 1,
            selector: { matchLabels: { app: 'web' } },
            template: {
              metadata: { labels: { app: 'web' } },
              spec: { containers: [{ name: 'web', image: `${image}2` }] },
            },
          },
        },
        { view: nothing },
      ),
      until(path, isReady(1), { view: (body) => at(body, 'metadata.annotations') }),
      until(
        `${sets}${ofApp}`,
        (body) =>
          items(body)
            .map((set) => Number(at(set, 'status.replicas')))
            .sort()
            .join() === '0,1',
        { view: ownersOf },
      ),
      until(`${core('pods')}${ofApp}`, (body) => items(body).length === 1, { view: count }),
    ],
  },
  {
    name: 'a ReplicaSet takes over a Pod that fits, and makes only what is missing',
    given: [post(core('pods'), pod({}, { labels: { app: 'web' } }))],
    steps: [
      post(sets, replicaSet({ replicas: 2 }), { view: nothing }),
      until(`${core('pods')}${ofApp}`, owned(2), { view: count }),
      get(core('pods', 'web'), { view: (body) => at(body, 'metadata.ownerReferences') }),
    ],
  },
  {
    name: 'a ReplicaSet lets a Pod go that does not fit any more, and makes another',
    given: [...made(1), get(`${core('pods')}${ofApp}`, { save: { pod: 'items.0.metadata.name' } })],
    steps: [
      mergePatch(core('pods', '{pod}'), { metadata: { labels: { app: 'other' } } }, { view: nothing }),
      until(core('pods', '{pod}'), (body) => owner(body) === 'nobody', { view: owner }),
      until(`${core('pods')}${ofApp}`, owned(1), { view: count }),
      until(path, isReady(1), { view: nothing }),
      mergePatch(core('pods', '{pod}'), { metadata: { labels: { app: 'web' } } }, { view: nothing }),
      until(core('pods'), (body) => items(body).length === 1 && owned(1)(body), { view: count }),
    ],
  },
  {
    name: 'a Deployment lets a ReplicaSet go that does not fit any more, and makes another',
    given: [...made(1), get(`${sets}${ofApp}`, { save: { set: 'items.0.metadata.name' } })],
    steps: [
      mergePatch(
        group('apps/v1', 'replicasets', '{set}'),
        { metadata: { labels: { app: 'other' } } },
        { view: nothing },
      ),
      until(group('apps/v1', 'replicasets', '{set}'), (body) => owner(body) === 'nobody', { view: owner }),
      until(path, (body) => at(body, 'status.collisionCount') === 1 && isReady(1)(body), {
        view: (body) => at(body, 'status.collisionCount'),
      }),
      until(sets, (body) => items(body).length === 2, { view: (body) => ownersOf(body).toSorted() }),
    ],
  },
  {
    name: 'an EndpointSlice without endpoints stays when its Service goes without it, and serves the next of that name',
    chance,
    given: [post(core('services'), service()), until(`${slices}${ofService}`, owned(1)), ...knownToCollector],
    steps: [
      get(`${slices}${ofService}`, uids),
      del(core('services', 'web'), orphan, { view: nothing }),
      until(core('services', 'web'), gone, { view: nothing }),
      until(`${slices}${ofService}`, orphaned(1), uids),
      post(core('services'), service(), { view: nothing }),
      // What is done for a later Service shows that all was done for this one.
      post(core('services'), service({}, { name: 'later' }), { view: nothing }),
      until(`${slices}?labelSelector=kubernetes.io/service-name%3Dlater`, owned(1), { view: count }),
      get(`${slices}${ofService}`, uids),
      ...quietly(made(1)),
      until(`${slices}${ofService}`, (body) => owned(1)(body) && endpointsOf(body).join() === '1', uids),
    ],
  },
  {
    name: 'the endpoints that a Service left are replaced by the next Service of that name',
    chance,
    given: [
      post(core('services'), service()),
      ...made(2),
      until(`${slices}${ofService}`, (body) => endpointsOf(body).join() === '2'),
      ...knownToCollector,
    ],
    steps: [
      get(`${slices}${ofService}`, uids),
      del(core('services', 'web'), orphan, { view: nothing }),
      until(core('services', 'web'), gone, { view: nothing }),
      until(`${slices}${ofService}`, orphaned(1), uids),
      mergePatch(path, { spec: { replicas: 0 } }, { view: nothing }),
      until(`${core('pods')}${ofApp}`, none, { view: nothing }),
      get(`${slices}${ofService}`, { view: endpointsOf }),
      post(core('services'), service(), { view: nothing }),
      until(`${slices}${ofService}`, (body) => owned(1)(body) && endpointsOf(body).join() === '0', uids),
    ],
  },
  {
    name: 'an EndpointSlice that says it is of the controller, and is not, is deleted; one of somebody else stays',
    given: [post(core('services'), service()), until(`${slices}${ofService}`, owned(1))],
    steps: [
      post(slices, slice({ 'kubernetes.io/service-name': 'web' }), { view: nothing }),
      post(slices, { ...slice(managed), metadata: { name: 'web-false', labels: managed } }, { view: nothing }),
      until(group('discovery.k8s.io/v1', 'endpointslices', 'web-false'), gone, { view: (body) => at(body, 'reason') }),
      get(`${slices}${ofService}`, { view: (body) => ownersOf(body).toSorted() }),
    ],
  },
  {
    name: 'an EndpointSlice that somebody empties is filled again',
    given: [
      post(core('services'), service()),
      ...made(1),
      until(`${slices}${ofService}`, (body) => endpointsOf(body).join() === '1', {
        save: { slice: 'items.0.metadata.name' },
      }),
    ],
    steps: [
      mergePatch(group('discovery.k8s.io/v1', 'endpointslices', '{slice}'), { endpoints: [] }, { view: nothing }),
      until(`${slices}${ofService}`, (body) => endpointsOf(body).join() === '1', { view: endpointsOf }),
    ],
  },
];
