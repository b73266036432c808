import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const remove = (user: User, place: Place): Promise<void> => user.delete(cast.webRef(place));
const hold = { metadata: { finalizers: ['example.com/hold'] } };
const letGo = { metadata: { finalizers: null } };

/** A service in the state that the name says, when all has come to rest. */
const states: Readonly<Record<string, Pick<Scenario, 'given' | 'before' | 'pairs'>>> = {
  pending: { given: (place) => [cast.backend(place), cast.web(place)] },
  provisioning: { given: (place) => [cast.profile(place), cast.web(place)] },
  running: { given: cast.withEveryChild, pairs: true },
  updating: {
    given: (place) => cast.running(place),
    before: (user, place) => user.delete(cast.refIn(place, 'Pod', 'web-1')),
  },
  failed: { given: (place) => cast.running(place, cast.supplied) },
  'failed-later': {
    given: (place) => cast.running(place, cast.generated),
    before: (user, place) => user.delete(cast.refIn(place, 'ConfigMap', 'frps-default')),
  },
};

const everyChild = (place: Place): readonly KubeObject[] => cast.withEveryChild(place);

/** A DistributedService is deleted in each state, in each way, and while something holds it or its tunnel. */
export const deletions: readonly Scenario[] = [
  ...Object.entries(states).map(([state, row]) => cast.aboutWeb({ name: `delete-${state}`, ...row, when: remove })),
  ...(['Background', 'Foreground', 'Orphan'] as const).map((propagation) =>
    cast.aboutWeb({
      name: `delete-${propagation.toLowerCase()}`,
      given: everyChild,
      when: (user, place) => user.delete(cast.webRef(place), propagation),
    }),
  ),
  cast.aboutWeb({
    name: 'delete-terminating',
    given: (place) => [cast.profile(place), cast.backend(place), cast.web(place, {}, hold.metadata)],
    before: remove,
    when: async (user, place) => {
      await remove(user, place);
      await cast.wake(user, cast.webRef(place));
    },
  }),
  cast.aboutWeb({
    name: 'delete-held-let-go',
    given: (place) => [cast.profile(place), cast.backend(place), cast.web(place, {}, hold.metadata)],
    before: remove,
    when: async (user, place) => void (await user.patch(cast.webRef(place), letGo)),
  }),
  cast.aboutWeb({
    name: 'delete-tunnel-held',
    given: everyChild,
    before: async (user, place) => void (await user.patch(cast.childRef(place, 'tunnel'), hold)),
    when: remove,
  }),
  cast.aboutWeb({
    name: 'delete-tunnel-let-go',
    given: everyChild,
    before: async (user, place) => {
      await user.patch(cast.childRef(place, 'tunnel'), hold);
      await remove(user, place);
    },
    when: async (user, place) => void (await user.patch(cast.childRef(place, 'tunnel'), letGo)),
  }),
  cast.aboutWeb({
    name: 'delete-and-change',
    given: everyChild,
    when: async (user, place) => {
      await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
      await remove(user, place);
    },
  }),
  cast.aboutWeb({
    name: 'delete-with-profile',
    given: everyChild,
    when: async (user, place) => {
      await user.delete(cast.refIn(place, 'ConfigMap', 'frps-default'));
      await remove(user, place);
    },
  }),
  cast.aboutWeb({
    name: 'delete-finalizer-by-hand',
    given: everyChild,
    when: async (user, place) => void (await user.patch(cast.webRef(place), letGo)),
  }),
  cast.aboutWeb({
    name: 'delete-namespace',
    given: everyChild,
    when: (user, { namespace }) => user.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: namespace }),
  }),
];
