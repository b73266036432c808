import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { secondsOf, timeOf } from '../../../packages/controller/domain/time.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import { annotations } from '../../../resources/distributed-service/names.ts';
import type { Pass, Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const authority = (place: Place) => cast.refIn(place, 'Secret', 'frp-default-ca');
const withGenerated = (place: Place) => cast.running(place, cast.generated);

const wake = (user: User, place: Place): Promise<void> => cast.wake(user, cast.webRef(place));

const twoServices = (place: Place) => [
  ...withGenerated(place),
  cast.backend(place, 'api-1', 'api'),
  cast.web(place, { ...cast.generated, expose: { remotePort: 7002 } }, { name: 'api' }),
];
const both = (place: Place) => [cast.webRef(place), cast.webRef(place, 'api')];

const wakeBoth = async (user: User, place: Place): Promise<void> => {
  for (const ref of both(place)) await cast.wake(user, ref);
};

/** An event that says nothing of what was done. */
async function note(user: User, ref: ObjectRef, text: string): Promise<void> {
  await user.patch(ref, { metadata: { annotations: { 'example.com/note': text } } });
}

/** Its successor is there: made when two thirds of its life were over. */
const succeeded = {
  given: withGenerated,
  before: async (user: User, place: Place, pass: Pass): Promise<void> => {
    await pass(2434);
    await note(user, cast.webRef(place), 'its successor is made');
  },
};

/** The same of two, a day before the successor begins to sign: both have a certificate of the elder. */
const renewedOnceMore = {
  given: twoServices,
  before: async (user: User, place: Place, pass: Pass): Promise<void> => {
    await pass(2434);
    await note(user, cast.webRef(place), 'its successor is made');
    await pass(29);
    for (const ref of both(place)) await note(user, ref, 'the elder signs for the last time');
  },
};

/** A person wants another authority, of after this one was made. */
async function want(user: User, place: Place): Promise<void> {
  const { creationTimestamp = '' } = (await user.get(authority(place)))?.metadata ?? {};
  const wanted = timeOf(secondsOf(creationTimestamp) + 1);
  await user.patch(authority(place), { metadata: { annotations: { [annotations.rotate]: wanted } } });
}

/**
 * Time passes over certificates, or somebody takes them away. A leaf lives 7 days, its authority 3650; 30 days after its
 * successor was made that signs, and 7 days later the authority is gone.
 */
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
    given: twoServices,
    when: (user, place) => user.delete(authority(place)),
    parents: both,
  },
  cast.aboutWeb({ name: 'authority-due', given: withGenerated, days: 2434, when: wake }),
  cast.aboutWeb({ name: 'authority-wanted', given: withGenerated, days: 1, when: want }),
  { name: 'authority-of-two-wanted', given: twoServices, days: 1, when: want, parents: both },
  cast.aboutWeb({ name: 'authority-handed-over', ...succeeded, days: 31, when: wake }),
  { name: 'authority-of-two-handed-over', ...renewedOnceMore, days: 2, when: wakeBoth, parents: both },
  cast.aboutWeb({ name: 'authority-rotated', ...succeeded, days: 38, when: wake }),
  {
    name: 'authority-of-two-rotated',
    ...succeeded,
    given: twoServices,
    days: 38,
    parents: both,
    when: wakeBoth,
  },
  cast.aboutWeb({
    name: 'authority-with-broken-successor',
    ...succeeded,
    days: 4,
    when: async (user, place) => void (await user.patch(authority(place), { data: { 'next.key': 'Z2FyYmFnZQ==' } })),
  }),
  cast.aboutWeb({
    name: 'authority-foreign',
    given: (place) => [cast.profile(place), cast.backend(place), cast.suppliedSecret(place, 'one', 'frp-default-ca')],
    when: async (user, place) => void (await user.create(cast.web(place, cast.generated))),
  }),
];
