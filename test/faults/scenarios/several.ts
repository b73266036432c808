import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const numbers = [1, 2, 3] as const;

const given = (place: Place): readonly KubeObject[] => [
  cast.profile(place),
  ...numbers.flatMap((number) => [
    cast.backend(place, `web${number}-1`, `web${number}`),
    cast.web(place, { expose: { remotePort: 7000 + number } }, { name: `web${number}` }),
    cast.hello(place, `hello ${number}`, { name: `hello${number}` }),
  ]),
];

const parents = (place: Place): readonly ObjectRef[] => [
  ...numbers.map((number) => cast.webRef(place, `web${number}`)),
  ...numbers.map((number) => cast.helloRef(place, `hello${number}`)),
];

/** Three DistributedServices and three Messages: what concerns one of them is to leave the others alone. */
export const several: readonly Scenario[] = [
  {
    name: 'several-one-wrong',
    given,
    when: async (user, place) => {
      await user.delete(cast.refIn(place, 'ConfigMap', 'frp-web2-config'));
      await user.delete(cast.refIn(place, 'Pod', 'msg-hello2'));
    },
    parents,
  },
  {
    name: 'several-all-wrong',
    given,
    when: async (user, place) => {
      for (const number of numbers) {
        await user.patch(cast.refIn(place, 'apps/v1 Deployment', `frp-web${number}`), { spec: { replicas: 3 } });
        await user.delete(cast.refIn(place, 'Pod', `msg-hello${number}`));
      }
    },
    parents,
  },
  {
    name: 'several-share-a-profile',
    given,
    when: async (user, place) =>
      void (await user.patch(cast.refIn(place, 'ConfigMap', 'frps-default'), { data: { port: '7443' } })),
    parents,
  },
  {
    name: 'several-one-deleted',
    given,
    when: async (user, place) => {
      await user.delete(cast.webRef(place, 'web2'));
      await user.delete(cast.helloRef(place, 'hello2'));
    },
    parents,
  },
  {
    name: 'several-resynced',
    // No event reports that what was in the way of two of them is gone: it is nobody's.
    given: (place) => [
      cast.pod(place, 'msg-hello1', {}),
      cast.pod(place, 'msg-hello3', {}),
      ...numbers.map((number) => cast.hello(place, `hello ${number}`, { name: `hello${number}` })),
    ],
    when: async (user, place) => {
      await user.delete(cast.refIn(place, 'Pod', 'msg-hello1'));
      await user.delete(cast.refIn(place, 'Pod', 'msg-hello3'));
      await user.resync();
    },
    parents: (place) => numbers.map((number) => cast.helloRef(place, `hello${number}`)),
  },
];
