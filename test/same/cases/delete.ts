import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import { type Case, configMap, liveOf, message, outcomeOf, preconditionOf, withOtherUid } from '../arena.ts';

export const deleteCases: readonly Case[] = [
  {
    name: 'delete takes the object away',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, {}));
      await arena.cluster.delete(refOf(live), preconditionOf(live), 'Background');
      return arena.cluster.get(refOf(live));
    },
    want: undefined,
  },
  {
    name: 'delete of another uid is a conflict and takes nothing away',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, {}));
      const outcome = await outcomeOf(
        arena.cluster.delete(refOf(live), preconditionOf(withOtherUid(live)), 'Background'),
      );
      return [outcome, (await liveOf(arena, live)).metadata.uid === live.metadata.uid];
    },
    want: ['conflict', true],
  },
  {
    name: 'delete of an older version is a conflict and takes nothing away',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, {}));
      await arena.user.put(configMap(arena, { a: 'user' }));
      const outcome = await outcomeOf(arena.cluster.delete(refOf(live), preconditionOf(live), 'Background'));
      return [outcome, (await liveOf(arena, live)).metadata.deletionTimestamp];
    },
    want: ['conflict', undefined],
  },
  {
    name: 'delete of what does not exist finds it gone',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, {}));
      await arena.user.remove(refOf(live));
      return outcomeOf(arena.cluster.delete(refOf(live), preconditionOf(live), 'Background'));
    },
    want: 'gone',
  },
  {
    name: 'delete of what has a finalizer only marks it, and counts a generation',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a', { finalizers: ['example.com/keep'] }));
      await arena.cluster.delete(refOf(live), preconditionOf(live), 'Background');
      const { deletionTimestamp, generation, finalizers } = (await liveOf(arena, live)).metadata;
      return [typeof deletionTimestamp, generation, finalizers];
    },
    want: ['string', 2, ['example.com/keep']],
  },
  {
    name: 'delete of what is being deleted changes nothing',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a', { finalizers: ['example.com/keep'] }));
      await arena.user.remove(refOf(live));
      const marked = await liveOf(arena, live);
      const outcome = await outcomeOf(arena.cluster.delete(refOf(live), preconditionOf(marked), 'Background'));
      const after = await liveOf(arena, live);
      return [outcome, after.metadata.resourceVersion === marked.metadata.resourceVersion];
    },
    want: ['done', true],
  },
  {
    name: 'what the deleted object owned is collected',
    run: async (arena) => {
      const owner = await arena.cluster.create(configMap(arena, {}, { name: `${arena.name}-owner` }));
      const ownerReferences = [{ ...refOf(owner), uid: owner.metadata.uid ?? '' }].map(
        ({ namespace: _, ...reference }) => reference,
      );
      const child = await arena.cluster.create(configMap(arena, {}, { ownerReferences }));
      await arena.collector.see();
      await arena.cluster.delete(refOf(owner), preconditionOf(owner), 'Background');
      await arena.collector.collect(refOf(child));
      return [await arena.cluster.get(refOf(owner)), await arena.cluster.get(refOf(child))];
    },
    want: [undefined, undefined],
  },
  {
    name: 'a foreground delete waits for what the object owns and blocks it',
    run: async (arena) => {
      const owner = await arena.cluster.create(configMap(arena, {}, { name: `${arena.name}-owner` }));
      const { apiVersion, kind, metadata } = owner;
      const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', blockOwnerDeletion: true };
      const child = configMap(arena, {}, { ownerReferences: [reference], finalizers: ['example.com/keep'] });
      await arena.cluster.create(child);
      await arena.collector.see();
      await arena.cluster.delete(refOf(owner), preconditionOf(owner), 'Foreground');
      await arena.collector.see();
      const waiting = await liveOf(arena, owner);
      await arena.user.put({ ...child, metadata: { ...child.metadata, finalizers: [] } });
      await arena.collector.collect(refOf(child));
      await arena.collector.collect(refOf(owner));
      return [
        typeof waiting.metadata.deletionTimestamp,
        waiting.metadata.finalizers,
        await arena.cluster.get(refOf(owner)),
      ];
    },
    want: ['string', ['foregroundDeletion'], undefined],
  },
];
