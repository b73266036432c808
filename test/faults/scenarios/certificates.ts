import type { Place, Scenario, User } from '../scenario.ts';
import * as cast from './cast.ts';

const authority = (place: Place) => cast.refIn(place, 'Secret', 'frp-default-ca');
const withGenerated = (place: Place) => cast.running(place, cast.generated);

const wake = (user: User, place: Place): Promise<void> => cast.wake(user, cast.webRef(place));

/** Time passes over certificates, or somebody takes them away. A leaf lives 7 days, its authority 3650. */
export const certificates: readonly Scenario[] = [
  cast.aboutWeb({ name: 'leaf-not-due', given: withGenerated, days: 4, when: wake }),
  cast.aboutWeb({ name: 'leaf-due', given: withGenerated, days: 5, when: wake }),
  cast.aboutWeb({ name: 'leaf-expired', given: withGenerated, days: 30, when: wake }),
  cast.aboutWeb({
    name: 'leaf-due-and-spec-changed',
    given: withGenerated,
    days: 5,
    when: async (user, place) =>
      void (await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } })),
  }),
  cast.aboutWeb({
    name: 'supplied-certificate-expired',
    given: (place) => [cast.suppliedSecret(place), ...cast.running(place, cast.supplied)],
    days: 8000,
    when: wake,
  }),
  cast.aboutWeb({ name: 'authority-expired', given: withGenerated, days: 3700, when: wake }),
  cast.aboutWeb({
    name: 'authority-deleted',
    given: withGenerated,
    when: (user, place) => user.delete(authority(place)),
  }),
  cast.aboutWeb({
    name: 'authority-and-leaf-deleted',
    given: withGenerated,
    when: async (user, place) => {
      await user.delete(authority(place));
      await user.delete(cast.childRef(place, 'tls'));
    },
  }),
  {
    name: 'authority-of-two-deleted',
    given: (place) => [
      ...withGenerated(place),
      cast.backend(place, 'api-1', 'api'),
      cast.web(place, { ...cast.generated, expose: { remotePort: 7002 } }, { name: 'api' }),
    ],
    when: (user, place) => user.delete(authority(place)),
    parents: (place) => [cast.webRef(place), cast.webRef(place, 'api')],
  },
  cast.aboutWeb({
    name: 'authority-foreign',
    given: (place) => [cast.profile(place), cast.backend(place), cast.suppliedSecret(place, 'one', 'frp-default-ca')],
    when: async (user, place) => void (await user.create(cast.web(place, cast.generated))),
  }),
];
