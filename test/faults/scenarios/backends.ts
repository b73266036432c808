import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const first = (place: Place) => cast.refIn(place, 'Pod', 'web-1');
const byHost = {
  backends: {
    discovery: 'manual',
    port: 8080,
    replicas: 1,
    endpoints: [{ host: 'shop', weight: 1 }],
  },
} as const;

/** A Pod that is held until somebody lets it go: neither gone nor ready after its deletion. */
const held = (place: Place) => {
  const pod = cast.backend(place);
  return { ...pod, metadata: { ...pod.metadata, finalizers: ['example.com/hold'] } };
};

/** What a kubelet says of the first Pod. */
const readiness = async (user: User, place: Place, status: 'True' | 'False'): Promise<void> => {
  await user.patch(first(place), { status: { conditions: [{ type: 'Ready', status }] } });
};

/** Backends come, go, or stop being ready. */
export const backends: readonly Scenario[] = [
  cast.aboutWeb({
    name: 'backend-added',
    given: cast.running,
    when: async (user, place) => void (await user.create(cast.backend(place, 'web-2'))),
  }),
  cast.aboutWeb({ name: 'backend-deleted', given: cast.running, when: (user, place) => user.delete(first(place)) }),
  cast.aboutWeb({
    name: 'backend-one-of-two-deleted',
    given: (place) => [...cast.running(place), cast.backend(place, 'web-2')],
    when: (user, place) => user.delete(first(place)),
  }),
  cast.aboutWeb({
    name: 'backend-is-the-tunnel',
    given: (place) => cast.running(place, cast.bySelector),
    when: async (user) => {
      const pods = await user.list({ apiVersion: 'v1', kind: 'Pod' });
      const tunnels = pods.filter(({ metadata }) => metadata.labels?.['frp.io/tunnel'] === 'web');
      for (const pod of tunnels) await user.patch(refOf(pod), { metadata: { labels: { app: 'shop' } } });
    },
  }),
  cast.aboutWeb({
    name: 'backend-replaced',
    given: cast.running,
    when: async (user, place) => {
      await user.create(cast.backend(place, 'web-2'));
      await user.delete(first(place));
    },
  }),
  cast.aboutWeb({
    name: 'backend-terminating',
    given: (place) => [cast.profile(place), held(place), cast.web(place)],
    when: (user, place) => user.delete(first(place)),
  }),
  cast.aboutWeb({
    name: 'backend-let-go',
    given: (place) => [cast.profile(place), held(place), cast.web(place)],
    before: (user, place) => user.delete(first(place)),
    when: async (user, place) => void (await user.patch(first(place), { metadata: { finalizers: null } })),
  }),
  cast.aboutWeb({
    name: 'backend-unready',
    given: cast.running,
    when: (user, place) => readiness(user, place, 'False'),
  }),
  cast.aboutWeb({
    name: 'backend-becomes-ready',
    given: cast.running,
    before: (user, place) => readiness(user, place, 'False'),
    when: (user, place) => readiness(user, place, 'True'),
  }),
  cast.aboutWeb({
    name: 'backend-unlabelled',
    given: cast.running,
    when: async (user, place) =>
      void (await user.patch(first(place), { metadata: { labels: { 'frp.io/service': null } } })),
  }),
  cast.aboutWeb({
    name: 'backend-labelled',
    given: (place) => [...cast.running(place), cast.pod(place, 'web-2', { app: 'shop' })],
    when: async (user, place) =>
      void (await user.patch(cast.refIn(place, 'Pod', 'web-2'), { metadata: { labels: { 'frp.io/service': 'web' } } })),
  }),
  cast.aboutWeb({
    name: 'backend-service-added',
    given: cast.running,
    when: async (user, place) =>
      void (await user.create(cast.plainService(place, 'shop', { 'frp.io/service': 'web' }))),
  }),
  cast.aboutWeb({
    name: 'backend-selected-added',
    given: cast.withEveryChild,
    when: async (user, place) => void (await user.create(cast.pod(place, 'shop-2', { app: 'shop' }))),
  }),
  cast.aboutWeb({
    name: 'backend-selected-deleted',
    given: cast.withEveryChild,
    when: (user, place) => user.delete(cast.refIn(place, 'Pod', 'shop-1')),
  }),
  cast.aboutWeb({
    name: 'backend-host-created-later',
    given: (place) => [cast.profile(place), cast.web(place, byHost)],
    when: async (user, place) => {
      await user.create(cast.plainService(place, 'shop'));
      await cast.wake(user, cast.webRef(place));
    },
  }),
  cast.aboutWeb({
    name: 'backend-host-deleted',
    given: (place) => [cast.profile(place), cast.plainService(place, 'shop'), cast.web(place, byHost)],
    when: async (user, place) => {
      await user.delete(cast.refIn(place, 'Service', 'shop'));
      await cast.wake(user, cast.webRef(place));
    },
  }),
];
