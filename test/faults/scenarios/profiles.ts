import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { forUse, object } from '../../build/objects.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const ofDefault = (place: Place) => cast.refIn(place, 'ConfigMap', 'frps-default');
const change = (data: Readonly<Record<string, string | null>>, name: string): Scenario =>
  cast.aboutWeb({
    name,
    given: (place) => cast.running(place, cast.generated),
    when: async (user, place) => void (await user.patch(ofDefault(place), { data })),
  });

/** A profile in the controller's namespace; its name is this run's own, because others run beside it. */
export const sharedName = ({ namespace }: Place): string => `of-${namespace}`;
export const shared = (place: Place): KubeObject =>
  cast.profile({ ...place, namespace: place.controller }, {}, sharedName(place));
const user = (place: Place): KubeObject => cast.web(place, { serverProfile: sharedName(place) });

/** The profile of the FRP server comes, changes or goes. */
export const profiles: readonly Scenario[] = [
  change({ address: 'frps2.example.com' }, 'profile-address'),
  change({ port: '7443' }, 'profile-port'),
  change({ gate: 'false' }, 'profile-without-gate'),
  cast.aboutWeb({
    name: 'profile-with-token',
    given: (place) => [
      cast.inside(place, forUse(object('Secret', 'frps-token', { type: 'Opaque', data: { token: 'b25l' } }))),
      ...cast.running(place, cast.generated),
    ],
    when: async (person, place) =>
      void (await person.patch(ofDefault(place), { data: { tokenSecret: 'frps-token', gate: 'false' } })),
  }),
  change({ tokenSecret: 'frps-token', gate: 'false' }, 'profile-with-a-token-that-is-not-there'),
  change({ nonsense: 'yes' }, 'profile-spoilt'),
  cast.aboutWeb({
    name: 'profile-created-later',
    given: (place) => [cast.backend(place), cast.web(place, cast.generated)],
    when: async (person, place) => void (await person.create(cast.profile(place))),
  }),
  cast.aboutWeb({
    name: 'profile-deleted',
    given: (place) => cast.running(place, cast.generated),
    when: (person, place) => person.delete(ofDefault(place)),
  }),
  cast.aboutWeb({
    name: 'profile-replaced',
    given: (place) => cast.running(place, cast.generated),
    when: async (person, place) => {
      await person.delete(ofDefault(place));
      await person.create(cast.profile(place, { port: '7443' }));
    },
  }),
  cast.aboutWeb({
    name: 'profile-renamed',
    given: (place) => cast.running(place, cast.generated),
    when: async (person, place) => {
      const { metadata, ...rest } = cast.profile(place);
      await person.delete(ofDefault(place));
      await person.create({ ...rest, metadata: { ...metadata, name: 'frps-5h7f9' } });
    },
  }),
  cast.aboutWeb({
    name: 'profile-unlabelled',
    given: cast.running,
    when: async (person, place) =>
      void (await person.patch(ofDefault(place), { metadata: { labels: { 'frp.io/server-profile': null } } })),
  }),
  cast.aboutWeb({
    name: 'profile-twice',
    given: cast.running,
    when: async (person, place) => {
      const { metadata, ...rest } = cast.profile(place);
      await person.create({ ...rest, metadata: { ...metadata, name: 'frps-again' } });
    },
  }),
  cast.aboutWeb({
    name: 'profile-shared-changed',
    given: (place) => [shared(place), cast.backend(place), user(place)],
    when: async (person, place) => {
      const { metadata } = shared(place);
      const ref = cast.refIn({ ...place, namespace: place.controller }, 'ConfigMap', metadata.name);
      await person.patch(ref, { data: { port: '7443' } });
    },
  }),
  cast.aboutWeb({
    name: 'profile-own-over-shared',
    given: (place) => [shared(place), cast.backend(place), user(place)],
    when: async (person, place) =>
      void (await person.create(cast.profile(place, { address: 'frps2.example.com' }, sharedName(place)))),
  }),
];
