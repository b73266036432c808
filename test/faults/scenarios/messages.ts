import type { User } from '../../../packages/controller/testing/user.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const itsPod = (place: Place) => cast.refIn(place, 'Pod', 'msg-hello');
const given = (place: Place) => [cast.hello(place)];
const say = (text: string) => async (user: User, place: Place) =>
  void (await user.patch(cast.helloRef(place), { spec: { text } }));
const remove = (user: User, place: Place): Promise<void> => user.delete(cast.helloRef(place));
const changePod = (name: string, change: Readonly<Record<string, unknown>>): Scenario =>
  cast.aboutHello({ name, given, when: async (user, place) => void (await user.patch(itsPod(place), change)) });

/** The Pod that somebody holds: it stays after its deletion. */
const held = async (user: User, place: Place): Promise<void> => {
  await user.patch(itsPod(place), { metadata: { finalizers: ['example.com/hold'] } });
};

/** The text in which every character matters to a shell, to the kubelet or to YAML. */
const hostile = '$(HOME) $$ `id` "quoted" \\n\n: - {{ .Env }} é 😀';

export const messages: readonly Scenario[] = [
  cast.aboutHello({
    name: 'message-create',
    given: () => [],
    when: async (user, place) => void (await user.create(cast.hello(place))),
    pairs: true,
  }),
  cast.aboutHello({
    name: 'message-create-and-delete',
    given: () => [],
    when: async (user, place) => {
      await user.create(cast.hello(place));
      await remove(user, place);
    },
  }),
  cast.aboutHello({ name: 'change-text', given, when: say('hello again') }),
  cast.aboutHello({ name: 'change-text-hostile', given, when: say(hostile) }),
  cast.aboutHello({
    name: 'change-text-twice',
    given,
    when: async (user, place) => {
      await say('one')(user, place);
      await say('two')(user, place);
    },
  }),
  cast.aboutHello({ name: 'message-delete', given, when: remove, pairs: true }),
  ...(['Foreground', 'Orphan'] as const).map((propagation) =>
    cast.aboutHello({
      name: `message-delete-${propagation.toLowerCase()}`,
      given,
      when: (user, place) => user.delete(cast.helloRef(place), propagation),
    }),
  ),
  cast.aboutHello({
    name: 'message-recreate',
    given,
    when: async (user, place) => {
      await remove(user, place);
      await user.create(cast.hello(place, 'hello again'));
    },
    pairs: true,
  }),
  cast.aboutHello({
    name: 'message-recreate-after-orphaning',
    given,
    before: (user, place) => user.delete(cast.helloRef(place), 'Orphan'),
    when: async (user, place) => void (await user.create(cast.hello(place))),
  }),
  cast.aboutHello({ name: 'message-pod-deleted', given, when: (user, place) => user.delete(itsPod(place)) }),
  cast.aboutHello({
    name: 'message-pod-image',
    given,
    when: async (user, place) => void (await user.patch(itsPod(place), cast.otherImage(await user.get(itsPod(place))))),
  }),
  changePod('message-pod-ended', { status: { phase: 'Failed' } }),
  changePod('message-pod-labels', { metadata: { labels: null } }),
  cast.aboutHello({
    name: 'message-pod-owner',
    given,
    when: async (user, place) => {
      await user.patch(itsPod(place), { metadata: { ownerReferences: null } });
      await cast.wake(user, cast.helloRef(place));
    },
  }),
  changePod('message-pod-labels-and-owner', { metadata: { labels: null, ownerReferences: null } }),
  changePod('message-pod-touched', { metadata: { labels: { 'example.com/note': 'seen' } } }),
  cast.aboutHello({
    name: 'message-pod-held',
    given,
    before: held,
    when: say('hello again'),
  }),
  cast.aboutHello({
    name: 'message-pod-let-go',
    given,
    before: async (user, place) => {
      await held(user, place);
      await user.delete(itsPod(place));
    },
    when: async (user, place) => void (await user.patch(itsPod(place), { metadata: { finalizers: null } })),
  }),
  cast.aboutHello({
    name: 'message-delete-pod-held',
    given,
    before: held,
    when: remove,
  }),
];
