import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import { type Case, field, liveOf, message, outcomeOf, preconditionOf, withOtherUid } from '../arena.ts';

const [ours, theirs] = ['frp.io/cleanup', 'example.com/keep'];

export const finalizerCases: readonly Case[] = [
  {
    name: 'finalizers adds ours beside the others, without a generation',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a', { finalizers: [theirs] }));
      const after = await arena.cluster.finalizers(refOf(live), preconditionOf(live), [theirs, ours]);
      return [
        after.metadata.finalizers,
        after.metadata.generation,
        after.metadata.resourceVersion !== live.metadata.resourceVersion,
      ];
    },
    want: [[theirs, ours], 1, true],
  },
  {
    name: 'finalizers takes ours and leaves the others',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a', { finalizers: [theirs, ours] }));
      return (await arena.cluster.finalizers(refOf(live), preconditionOf(live), [theirs])).metadata.finalizers;
    },
    want: [theirs],
  },
  {
    name: 'finalizers may empty the list',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a', { finalizers: [ours] }));
      return (await arena.cluster.finalizers(refOf(live), preconditionOf(live), [])).metadata.finalizers;
    },
    want: undefined,
  },
  {
    name: 'finalizers changes nothing else',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'hello', { labels: { a: '1' } }));
      const after = await arena.cluster.finalizers(refOf(live), preconditionOf(live), [ours]);
      return [field(after, 'spec', 'text'), after.metadata.labels];
    },
    want: ['hello', { a: '1' }],
  },
  {
    name: 'the last finalizer of what is being deleted lets it go',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a', { finalizers: [ours] }));
      await arena.user.remove(refOf(live));
      const marked = await liveOf(arena, live);
      const after = await arena.cluster.finalizers(refOf(live), preconditionOf(marked), []);
      return [after.metadata.uid === live.metadata.uid, await arena.cluster.get(refOf(live))];
    },
    want: [true, undefined],
  },
  {
    name: 'finalizers of what does not exist finds it gone and makes nothing',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      await arena.user.remove(refOf(live));
      const outcome = await outcomeOf(arena.cluster.finalizers(refOf(live), preconditionOf(live), [ours]));
      return [outcome, await arena.cluster.get(refOf(live))];
    },
    want: ['gone', undefined],
  },
  {
    name: 'finalizers of an older version is a conflict',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      await arena.user.put(message(arena, 'b'));
      const outcome = await outcomeOf(arena.cluster.finalizers(refOf(live), preconditionOf(live), [ours]));
      return [outcome, (await liveOf(arena, live)).metadata.finalizers];
    },
    want: ['conflict', undefined],
  },
  {
    name: 'finalizers of another uid is a conflict',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      const outcome = await outcomeOf(
        arena.cluster.finalizers(refOf(live), preconditionOf(withOtherUid(live)), [ours]),
      );
      return [outcome, (await liveOf(arena, live)).metadata.finalizers];
    },
    want: ['conflict', undefined],
  },
  {
    name: 'the same finalizers again change no version',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      const first = await arena.cluster.finalizers(refOf(live), preconditionOf(live), [ours]);
      const second = await arena.cluster.finalizers(refOf(live), preconditionOf(first), [ours]);
      return first.metadata.resourceVersion === second.metadata.resourceVersion;
    },
    want: true,
  },
  {
    name: 'what is being deleted takes no new finalizer',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a', { finalizers: [theirs] }));
      await arena.user.remove(refOf(live));
      const marked = await liveOf(arena, live);
      return outcomeOf(arena.cluster.finalizers(refOf(live), preconditionOf(marked), [theirs, ours]));
    },
    want: 'invalid-object',
  },
];
