import { isDeepStrictEqual } from 'node:util';
import { type Case, configMap, field, liveOf, message, outcomeOf, withFields } from '../arena.ts';

export const createCases: readonly Case[] = [
  {
    name: 'create gives the object with a uid, a resourceVersion and a creation time',
    run: async (arena) => {
      const { metadata } = await arena.cluster.create(configMap(arena, { a: '1' }));
      return [metadata.uid, metadata.resourceVersion, metadata.creationTimestamp].map((text) => (text ?? '') !== '');
    },
    want: [true, true, true],
  },
  {
    name: 'create gives the object that a get gives afterwards',
    run: async (arena) => {
      const created = await arena.cluster.create(message(arena, 'a', { labels: { a: '1' } }));
      const live = await liveOf(arena, created);
      const fields = ['uid', 'resourceVersion', 'generation', 'labels'];
      return fields.map(
        (name) => JSON.stringify(field(created, 'metadata', name)) === JSON.stringify(field(live, 'metadata', name)),
      );
    },
    want: [true, true, true, true],
  },
  {
    name: 'create of what exists is refused and changes nothing',
    run: async (arena) => {
      await arena.cluster.create(configMap(arena, { a: '1' }));
      const outcome = await outcomeOf(arena.cluster.create(configMap(arena, { a: '2' })));
      return [outcome, field(await liveOf(arena, configMap(arena, {})), 'data')];
    },
    want: ['already-exists', { a: '1' }],
  },
  {
    name: 'create of what is being deleted is refused',
    run: async (arena) => {
      const created = await arena.user.put(configMap(arena, {}, { finalizers: ['example.com/keep'] }));
      await arena.user.remove({ ...created, namespace: arena.namespace, name: arena.name });
      return outcomeOf(arena.cluster.create(configMap(arena, {})));
    },
    want: 'already-exists',
  },
  {
    name: 'create begins with generation 1 where the kind has one',
    run: async (arena) => {
      const created = await arena.cluster.create(message(arena, 'a'));
      return created.metadata.generation;
    },
    want: 1,
  },
  {
    name: 'a ConfigMap has no generation',
    run: async (arena) => 'generation' in (await arena.cluster.create(configMap(arena, {}))).metadata,
    want: false,
  },
  {
    name: 'create leaves the status out, which has its own way',
    run: async (arena) => {
      const created = await arena.cluster.create(withFields(message(arena, 'a'), { status: { phase: 'Failed' } }));
      return field(created, 'status', 'phase');
    },
    want: undefined,
  },
  {
    name: 'create keeps the finalizers and owners it is given',
    run: async (arena) => {
      const owner = await arena.user.put(configMap(arena, {}, { name: `${arena.name}-owner` }));
      const { name, uid = '' } = owner.metadata;
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name, uid, controller: true, blockOwnerDeletion: true };
      const finalizers = ['example.com/keep'];
      const created = await arena.cluster.create(configMap(arena, {}, { finalizers, ownerReferences: [reference] }));
      return [created.metadata.finalizers, isDeepStrictEqual(created.metadata.ownerReferences, [reference])];
    },
    want: [['example.com/keep'], true],
  },
  {
    name: 'create in a namespace that does not exist finds it gone',
    run: (arena) => outcomeOf(arena.cluster.create(configMap(arena, {}, { namespace: arena.absentNamespace }))),
    want: 'gone',
  },
  {
    name: 'create in a namespace that is being deleted is refused as such',
    run: (arena) => outcomeOf(arena.cluster.create(configMap(arena, {}, { namespace: arena.terminatingNamespace }))),
    want: 'namespace-terminating',
  },
  {
    name: 'create with a name that is none is an invalid object',
    run: (arena) => outcomeOf(arena.cluster.create(configMap(arena, {}, { name: 'Not_a_name' }))),
    want: 'invalid-object',
  },
  {
    name: 'create with a label value that is none is an invalid object',
    run: (arena) => outcomeOf(arena.cluster.create(configMap(arena, {}, { labels: { a: 'not a value' } }))),
    want: 'invalid-object',
  },
];
