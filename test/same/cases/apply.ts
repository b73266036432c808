import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import {
  type Case,
  configMap,
  deployment,
  field,
  liveOf,
  message,
  onLive,
  outcomeOf,
  pod,
  withFields,
  withOtherUid,
} from '../arena.ts';

/** Preconditions, versions, generations and refusals of apply. */
export const applyCases: readonly Case[] = [
  {
    name: 'half of a surrogate pair is stored as U+FFFD, posted and applied',
    run: async (arena) => {
      const posted = await arena.cluster.create(configMap(arena, { x: 'a\ud83d' }));
      const applied = await arena.cluster.apply(configMap(arena, { x: 'b\ude00' }), posted);
      return [posted, applied].map((object) => field(object, 'data'));
    },
    want: [{ x: 'a\ufffd' }, { x: 'b\ufffd' }],
  },
  {
    name: 'apply changes a field and gives the object as it is then',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, { a: '1' }));
      const applied = await arena.cluster.apply(configMap(arena, { a: '2' }), live);
      const after = await liveOf(arena, live);
      return [field(applied, 'data'), applied.metadata.resourceVersion === after.metadata.resourceVersion];
    },
    want: [{ a: '2' }, true],
  },
  {
    name: 'apply of the same again changes no version',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, { a: '1' }));
      const first = await arena.cluster.apply(configMap(arena, { a: '1' }), live);
      const second = await arena.cluster.apply(configMap(arena, { a: '1' }), first);
      return first.metadata.resourceVersion === second.metadata.resourceVersion;
    },
    want: true,
  },
  {
    name: 'apply over an older version is a conflict and changes nothing',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, { a: '1' }));
      await arena.user.put(configMap(arena, { a: 'user' }));
      const outcome = await outcomeOf(arena.cluster.apply(configMap(arena, { a: '2' }), live));
      return [outcome, field(await liveOf(arena, live), 'data')];
    },
    want: ['conflict', { a: 'user' }],
  },
  {
    name: 'apply over an older version that was applied before is a conflict too',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, { a: '1' }));
      const applied = await arena.cluster.apply(configMap(arena, { a: '2' }), live);
      await arena.user.put(configMap(arena, { a: 'user' }));
      return outcomeOf(arena.cluster.apply(configMap(arena, { a: '3' }), applied));
    },
    want: 'conflict',
  },
  {
    name: 'apply over another uid is a conflict and changes nothing',
    run: async (arena) => {
      const live = await arena.user.put(configMap(arena, { a: '1' }));
      const outcome = await outcomeOf(arena.cluster.apply(configMap(arena, { a: '2' }), withOtherUid(live)));
      return [outcome, field(await liveOf(arena, live), 'data')];
    },
    want: ['conflict', { a: '1' }],
  },
  {
    name: 'apply over a child of ours that was replaced under its name is a conflict',
    run: async (arena) => {
      const old = await arena.cluster.create(configMap(arena, { a: '1' }));
      await arena.user.remove(refOf(old));
      await arena.cluster.create(configMap(arena, { a: 'new' }));
      const outcome = await outcomeOf(arena.cluster.apply(configMap(arena, { a: '2' }), old));
      return [outcome, field(await liveOf(arena, old), 'data')];
    },
    want: ['conflict', { a: 'new' }],
  },
  {
    name: 'apply over what somebody else posted and removed brings nothing back',
    run: async (arena) => {
      const live = await arena.user.put(configMap(arena, { a: '1' }));
      await arena.user.remove(refOf(live));
      const outcome = await outcomeOf(arena.cluster.apply(configMap(arena, { a: '2' }), live));
      return [outcome, await arena.cluster.get(refOf(live))];
    },
    want: ['conflict', undefined],
  },
  {
    name: 'apply over what we posted and somebody removed brings nothing back',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, { a: '1' }));
      await arena.user.remove(refOf(live));
      const outcome = await outcomeOf(arena.cluster.apply(configMap(arena, { a: '2' }), live));
      return [outcome, await arena.cluster.get(refOf(live))];
    },
    want: ['conflict', undefined],
  },
  {
    name: 'apply to what is being deleted works',
    run: async (arena) => {
      const put = await arena.user.put(configMap(arena, { a: '1' }, { finalizers: ['example.com/keep'] }));
      await arena.user.remove(refOf(put));
      const applied = await arena.cluster.apply(configMap(arena, { a: '2' }), await liveOf(arena, put));
      return [field(applied, 'data'), applied.metadata.finalizers];
    },
    want: [{ a: '2' }, ['example.com/keep']],
  },
  {
    name: 'apply counts a generation for another spec and none for a label',
    run: async (arena) => {
      const first = await arena.cluster.create(message(arena, 'a'));
      const second = await arena.cluster.apply(message(arena, 'b'), first);
      const third = await arena.cluster.apply(message(arena, 'b', { labels: { a: '1' } }), second);
      return [first, second, third].map(({ metadata }) => metadata.generation);
    },
    want: [1, 2, 2],
  },
  {
    name: 'apply with a label value that is none is an invalid object',
    run: async (arena) => {
      const live = await arena.cluster.create(configMap(arena, {}));
      return outcomeOf(arena.cluster.apply(configMap(arena, {}, { labels: { a: 'not a value' } }), live));
    },
    want: 'invalid-object',
  },
  {
    name: 'apply to the data of an immutable ConfigMap is an invalid object',
    run: async (arena) => {
      const immutable = { immutable: true };
      const live = await arena.cluster.create(withFields(configMap(arena, { a: '1' }), immutable));
      return outcomeOf(arena.cluster.apply(withFields(configMap(arena, { a: '2' }), immutable), live));
    },
    want: 'invalid-object',
  },
  {
    name: 'apply of another selector to a Deployment is an invalid object',
    run: async (arena) => {
      await arena.cluster.create(deployment(arena, 'one'));
      const other = deployment(arena, 'two');
      return outcomeOf(onLive(arena, other, (live) => arena.cluster.apply(other, live)));
    },
    want: 'invalid-object',
  },
  {
    name: 'apply of another name of a container to a Pod is an invalid object',
    run: async (arena) => {
      const live = await arena.cluster.create(pod(arena, 'example.com/main:1'));
      const spec = { schedulerName: 'somebody', containers: [{ name: 'main', image: 'example.com/main:1' }] };
      return outcomeOf(arena.cluster.apply(withFields(live, { spec }), live));
    },
    want: 'invalid-object',
  },
];
