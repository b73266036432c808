import type { User } from '../../../packages/controller/testing/user.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

/** Something that changes nothing that Knudge makes things from. */
const note = { metadata: { annotations: { 'example.com/note': 'seen' } } };

const touches: Readonly<Record<string, (user: User, place: Place) => Promise<unknown>>> = {
  'touch-service': (user, place) => user.patch(cast.webRef(place), note),
  'touch-service-thrice': async (user, place) => {
    for (const text of ['one', 'two', 'three']) {
      await user.patch(cast.webRef(place), { metadata: { annotations: { 'example.com/note': text } } });
    }
  },
  'touch-tunnel': (user, place) => user.patch(cast.childRef(place, 'tunnel'), note),
  'touch-config': (user, place) => user.patch(cast.childRef(place, 'config'), note),
  'touch-identity': (user, place) => user.patch(cast.childRef(place, 'identity'), note),
  'touch-profile': (user, place) => user.patch(cast.refIn(place, 'ConfigMap', 'frps-default'), note),
  'touch-spec-back': async (user, place) => {
    await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7002 } } });
    await user.patch(cast.webRef(place), { spec: { expose: { remotePort: 7001 } } });
  },
};

/** An object at rest is touched, and nothing is to be done. */
export const touch: readonly Scenario[] = [
  ...Object.entries(touches).map(([name, act]) =>
    cast.aboutWeb({
      name,
      given: cast.withEveryChild,
      when: async (user, place) => void (await act(user, place)),
    }),
  ),
  cast.aboutWeb({
    name: 'touch-backend',
    given: cast.running,
    when: async (user, place) => void (await user.patch(cast.refIn(place, 'Pod', 'web-1'), note)),
  }),
  cast.aboutHello({
    name: 'touch-message',
    given: (place) => [cast.hello(place)],
    when: async (user, place) => void (await user.patch(cast.helloRef(place), note)),
  }),
];
