import type { User } from '../../../packages/controller/testing/user.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const other = { expose: { remotePort: 7002 } };

/** Deletes the service and takes all that holds it away, so that another of its name can be made at once. */
async function tearOut(user: User, place: Place): Promise<void> {
  await user.delete(cast.webRef(place));
  try {
    await user.patch(cast.webRef(place), { metadata: { finalizers: null } });
  } catch (error) {
    // Knudge may have been quicker: then it is gone, as it should be.
    if ((await user.get(cast.webRef(place))) !== undefined) throw error;
  }
}

const recreate =
  (spec: Parameters<typeof cast.web>[1]) =>
  async (user: User, place: Place): Promise<void> => {
    await tearOut(user, place);
    await user.create(cast.web(place, spec));
  };

/** A DistributedService is deleted and another of the same name made. */
export const recreations: readonly Scenario[] = [
  cast.aboutWeb({
    name: 'recreate',
    given: cast.withEveryChild,
    when: async (user, place) => {
      await user.delete(cast.webRef(place));
      await user.gone(cast.webRef(place));
      // A fault may be that somebody else has made it again.
      if ((await user.get(cast.webRef(place))) === undefined) await user.create(cast.web(place, other));
    },
  }),
  cast.aboutWeb({
    name: 'recreate-at-once',
    given: cast.withEveryChild,
    when: recreate({ ...cast.bySelector, ...cast.generated }),
  }),
  cast.aboutWeb({ name: 'recreate-otherwise', given: cast.withEveryChild, when: recreate(other) }),
  cast.aboutWeb({
    name: 'recreate-after-orphaning',
    given: (place) => cast.running(place),
    before: async (user, place) => {
      await user.delete(cast.webRef(place), 'Orphan');
    },
    when: async (user, place) => void (await user.create(cast.web(place))),
  }),
  cast.aboutWeb({
    name: 'recreate-when-gone',
    given: (place) => cast.running(place, cast.generated),
    before: (user, place) => user.delete(cast.webRef(place)),
    when: async (user, place) => void (await user.create(cast.web(place, other))),
  }),
  cast.aboutWeb({
    name: 'recreate-and-delete',
    given: cast.withEveryChild,
    when: async (user, place) => {
      await recreate(other)(user, place);
      await user.delete(cast.webRef(place));
    },
  }),
];
