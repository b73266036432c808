import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import { type Case, configMap, field, message, secret } from '../arena.ts';

export const readCases: readonly Case[] = [
  {
    name: 'get of what does not exist gives undefined',
    run: (arena) => arena.cluster.get(refOf(configMap(arena, {}))),
    want: undefined,
  },
  {
    name: 'get in a namespace that does not exist gives undefined',
    run: (arena) => arena.cluster.get(refOf(configMap(arena, {}, { namespace: arena.absentNamespace }))),
    want: undefined,
  },
  {
    name: 'get gives apiVersion, kind, name, namespace and fields',
    run: async (arena) => {
      await arena.user.put(message(arena, 'hello'));
      const live = await arena.cluster.get(refOf(message(arena, '')));
      const isNamed = live?.metadata.name === arena.name && live.metadata.namespace === arena.namespace;
      return [live?.apiVersion, live?.kind, isNamed, field(live, 'spec', 'text')];
    },
    want: ['myorg.dev/v1', 'Message', true, 'hello'],
  },
  {
    name: 'get of what is being deleted shows the time of its deletion',
    run: async (arena) => {
      const put = await arena.user.put(configMap(arena, {}, { finalizers: ['example.com/keep'] }));
      await arena.user.remove(refOf(put));
      const live = await arena.cluster.get(refOf(put));
      return typeof live?.metadata.deletionTimestamp;
    },
    want: 'string',
  },
  {
    name: 'metadata of what does not exist is undefined',
    run: (arena) => arena.cluster.getMetadata(refOf(secret(arena))),
    want: undefined,
  },
  {
    name: 'metadata of a Secret comes under its own kind and without its data',
    run: async (arena) => {
      await arena.user.put(secret(arena));
      const live = await arena.cluster.getMetadata(refOf(secret(arena)));
      return [Object.keys(live ?? {}).sort(), live?.apiVersion, live?.kind];
    },
    want: [['apiVersion', 'kind', 'metadata'], 'v1', 'Secret'],
  },
  {
    name: 'metadata has uid, version, labels and finalizers',
    run: async (arena) => {
      const put = await arena.user.put(secret(arena, { labels: { a: '1' }, finalizers: ['example.com/keep'] }));
      const metadata = (await arena.cluster.getMetadata(refOf(put)))?.metadata;
      const isSame = metadata?.uid === put.metadata.uid && metadata?.resourceVersion === put.metadata.resourceVersion;
      return [isSame, metadata?.labels, metadata?.finalizers];
    },
    want: [true, { a: '1' }, ['example.com/keep']],
  },
];
