import { type ChildRole, childRoles } from '../../../resources/distributed-service/names.ts';
import { object } from '../../build/objects.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

/** Somebody else's object under the name of a child. */
function squatter(place: Place, role: ChildRole) {
  const { kind, name } = cast.childRef(place, role);
  if (kind === 'Service') return cast.plainService(place, name);
  if (kind === 'Deployment') return cast.workload(place, 1, { kind, name });
  // A person who wants to be let in would put a token of their own there.
  return cast.inside(place, object(kind, name, { data: { mine: 'bWluZQ==', token: 'a25vd24gdG8gYSB0ZW5hbnQ=' } }));
}

/** A name that Knudge needs is taken. */
export const squatters: readonly Scenario[] = [
  ...(Object.keys(childRoles) as ChildRole[]).map((role) =>
    cast.aboutWeb({
      name: `squatted-${role}`,
      given: (place) => [cast.profile(place), cast.pod(place, 'shop-1', { app: 'shop' }), squatter(place, role)],
      when: async (user, place) => void (await user.create(cast.web(place, { ...cast.bySelector, ...cast.generated }))),
    }),
  ),
  ...(['config', 'endpoints', 'identity', 'tls', 'backends'] as const).map((role) =>
    cast.aboutWeb({
      name: `squatter-of-${role}-comes`,
      given: cast.withEveryChild,
      when: async (user, place) => {
        await user.delete(cast.childRef(place, role));
        await user.create(squatter(place, role));
        await cast.wake(user, cast.webRef(place));
      },
    }),
  ),
  cast.aboutWeb({
    name: 'squatter-goes',
    given: (place) => [squatter(place, 'config'), ...cast.running(place)],
    when: async (user, place) => {
      await user.delete(cast.childRef(place, 'config'));
      await cast.wake(user, cast.webRef(place));
    },
  }),
  cast.aboutHello({
    name: 'squatted-message-pod',
    given: (place) => [cast.pod(place, 'msg-hello', {})],
    when: async (user, place) => void (await user.create(cast.hello(place))),
  }),
  cast.aboutHello({
    name: 'squatter-of-message-goes',
    given: (place) => [cast.pod(place, 'msg-hello', {}), cast.hello(place)],
    when: async (user, place) => {
      await user.delete(cast.refIn(place, 'Pod', 'msg-hello'));
      await cast.wake(user, cast.helloRef(place));
    },
  }),
];
