import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Arena, Case } from '../arena.ts';
import { configMap, distributedService, outcomeOf, withFields } from '../arena.ts';

/** One more page than two full ones of 250. */
const many = 501;

/** ConfigMaps whose names end in these, each with its labels; gives back those that a selector finds. */
async function found(
  arena: Arena,
  objects: Readonly<Record<string, Record<string, string>>>,
  selector: string,
): Promise<readonly string[]> {
  const common = { case: arena.name };
  for (const [name, labels] of Object.entries(objects)) {
    await arena.user.put(configMap(arena, {}, { name: `${arena.name}-${name}`, labels: { ...common, ...labels } }));
  }
  const labelSelector = `case=${arena.name}${selector === '' ? '' : `,${selector}`}`;
  const list = await arena.cluster.list({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: arena.namespace,
    labelSelector,
  });
  return list.map(({ metadata }) => metadata.name.slice(arena.name.length + 1));
}

/** Three DistributedServices, of one profile, another, and with a certificate; gives back those that a field selector finds. */
async function foundByField(arena: Arena, fieldSelector: string): Promise<readonly string[]> {
  const labels = { case: arena.name };
  const security = { mtls: { enabled: true, autoGenerate: false, secretName: 'own' } };
  const specs = { a: { serverProfile: 'one' }, b: { serverProfile: 'two' }, c: { serverProfile: 'one', security } };
  for (const [name, more] of Object.entries(specs)) {
    const { apiVersion, kind, metadata } = distributedService(arena, 1);
    const spec = { serviceType: 'tcp', backends: { discovery: 'auto', port: 8080 }, ...more };
    const object = { apiVersion, kind, metadata: { ...metadata, name: `${arena.name}-${name}`, labels } };
    await arena.user.put(withFields(object, { spec }));
  }
  const query = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace: arena.namespace };
  const list = await arena.cluster.list({ ...query, labelSelector: `case=${arena.name}`, fieldSelector });
  return list.map(({ metadata }) => metadata.name.slice(arena.name.length + 1));
}

const labelled = { a: { app: 'web' }, b: { app: 'api' }, c: {} };

export const listCases: readonly Case[] = [
  {
    name: 'a list in a namespace without any is empty',
    run: (arena) =>
      arena.cluster.list({
        apiVersion: 'myorg.dev/v1',
        kind: 'Message',
        namespace: arena.emptyNamespace,
        labelSelector: '',
      }),
    want: [],
  },
  {
    name: 'a list in a namespace that does not exist is empty',
    run: (arena) =>
      arena.cluster.list({ apiVersion: 'v1', kind: 'Pod', namespace: arena.absentNamespace, labelSelector: '' }),
    want: [],
  },
  {
    name: 'a list comes sorted by name',
    run: (arena) => found(arena, { b: {}, c: {}, a: {} }, ''),
    want: ['a', 'b', 'c'],
  },
  { name: 'a selector may ask for a value', run: (arena) => found(arena, labelled, 'app=web'), want: ['a'] },
  {
    name: 'a selector may ask for any other value',
    run: (arena) => found(arena, labelled, 'app!=web'),
    want: ['b', 'c'],
  },
  {
    name: 'a selector may ask for one of a set',
    run: (arena) => found(arena, labelled, 'app in (web, api)'),
    want: ['a', 'b'],
  },
  { name: 'a selector may exclude a set', run: (arena) => found(arena, labelled, 'app notin (web)'), want: ['b', 'c'] },
  { name: 'a selector may ask that a label is there', run: (arena) => found(arena, labelled, 'app'), want: ['a', 'b'] },
  { name: 'a selector may ask that a label is absent', run: (arena) => found(arena, labelled, '!app'), want: ['c'] },
  {
    name: 'a field selector may ask for a value',
    run: (arena) => foundByField(arena, 'spec.serverProfile=one'),
    want: ['a', 'c'],
  },
  {
    name: 'a field selector may ask for any other value, and a field that is not there is empty',
    run: (arena) => foundByField(arena, 'spec.serverProfile!=two,spec.security.mtls.secretName=='),
    want: ['a'],
  },
  {
    name: 'an empty field selector asks for nothing',
    run: (arena) => foundByField(arena, ''),
    want: ['a', 'b', 'c'],
  },
  {
    name: 'a field that cannot be selected by is refused',
    run: (arena) => outcomeOf(foundByField(arena, 'spec.serviceType=tcp')),
    want: 'unexpected-answer',
  },
  {
    name: 'a list of all namespaces finds what is in any of them',
    run: async (arena) => {
      const labels = { everywhere: `${arena.namespace}-${arena.name}` };
      const elsewhere = { name: labels.everywhere, namespace: 'default', labels };
      await arena.user.put(configMap(arena, {}, { labels }));
      await arena.user.put(configMap(arena, {}, elsewhere));
      const labelSelector = `everywhere=${labels.everywhere}`;
      const list = await arena.cluster.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: '', labelSelector });
      await arena.user.remove(refOf(configMap(arena, {}, elsewhere)));
      return list.map(({ metadata }) => metadata.namespace === 'default').sort();
    },
    want: [false, true],
  },
  {
    name: 'the items of a list have apiVersion and kind',
    run: async (arena) => {
      await arena.user.put(configMap(arena, { a: '1' }, { labels: { item: arena.name } }));
      const query = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: arena.namespace,
        labelSelector: `item=${arena.name}`,
      };
      return (await arena.cluster.list(query)).map(({ apiVersion, kind }) => ({ apiVersion, kind }));
    },
    want: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
  },
  {
    name: 'a list of several pages is whole, each object once',
    run: async (arena) => {
      const labels = { many: arena.name };
      const names = Array.from({ length: many }, (_, index) => `${arena.name}-${index}`);
      for (let at = 0; at < many; at += 16) {
        await Promise.all(
          names.slice(at, at + 16).map((name) => arena.cluster.create(configMap(arena, {}, { name, labels }))),
        );
      }
      const query = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: arena.namespace,
        labelSelector: `many=${arena.name}`,
      };
      const list = await arena.cluster.list(query);
      return [list.length, new Set(list.map(({ metadata }) => metadata.name)).size];
    },
    want: [many, many],
  },
];
