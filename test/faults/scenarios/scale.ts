import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const app = (place: Place) => cast.refIn(place, 'apps/v1 Deployment', 'app');
const following = (replicas: number) =>
  ({
    backends: {
      discovery: 'auto',
      port: 8080,
      replicas,
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' },
    },
  }) as const;
/** Another service that names the same workload, and hears of its Pods by a selector. */
const bySelector = {
  backends: { ...following(4).backends, discovery: 'selector', selector: { matchLabels: { app: 'app' } } },
} as const;
const given = (place: Place) => [cast.profile(place), cast.workload(place, 2), cast.web(place, following(2))];
const scaleTo = (replicas: number, name: string): Scenario =>
  cast.aboutWeb({
    name,
    given,
    when: async (user, place) => void (await user.patch(cast.webRef(place), { spec: { backends: { replicas } } })),
  });

/** The workload behind a service follows its number of replicas. */
export const scale: readonly Scenario[] = [
  scaleTo(3, 'scale-up'),
  scaleTo(1, 'scale-down'),
  scaleTo(0, 'scale-to-zero'),
  cast.aboutWeb({
    name: 'scale-drift',
    given,
    when: async (user, place) => void (await user.patch(app(place), { spec: { replicas: 5 } })),
  }),
  cast.aboutWeb({
    name: 'scale-created-later',
    given: (place) => [cast.profile(place), cast.web(place, following(2))],
    when: async (user, place) => void (await user.create(cast.workload(place, 1))),
  }),
  cast.aboutWeb({ name: 'scale-deleted', given, when: (user, place) => user.delete(app(place)) }),
  cast.aboutWeb({
    name: 'scale-replaced',
    given,
    when: async (user, place) => {
      await user.delete(app(place));
      await user.create(cast.workload(place, 1));
    },
  }),
  {
    name: 'scale-two-services',
    given,
    when: async (user, place) => void (await user.create(cast.web(place, bySelector, { name: 'younger' }))),
    parents: (place) => [cast.webRef(place), cast.webRef(place, 'younger')],
  },
  {
    name: 'scale-two-services-older-deleted',
    given: (place) => [...given(place), cast.web(place, bySelector, { name: 'younger' })],
    when: (user, place) => user.delete(cast.webRef(place)),
    parents: (place) => [cast.webRef(place), cast.webRef(place, 'younger')],
  },
  cast.aboutWeb({
    name: 'scale-own-tunnel',
    given: (place) => [cast.profile(place), cast.backend(place), cast.web(place)],
    when: async (user, place) => {
      const workloadRef = { ...app(place), name: 'frp-web', namespace: undefined };
      await user.patch(cast.webRef(place), { spec: { backends: { replicas: 2, workloadRef } } });
    },
  }),
];
