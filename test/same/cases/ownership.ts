import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { manager } from '../../../packages/controller/domain/names.ts';
import { type Arena, type Case, configMap, deployment, field, liveOf, onLive, service, withFields } from '../arena.ts';

/** A reference to an object that exists, or the garbage collector would take what it owns. */
async function ownerFor(arena: Arena, suffix: string) {
  const { metadata } = await arena.user.put(configMap(arena, {}, { name: `${arena.name}-${suffix}` }));
  return { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid ?? '' };
}

async function posted(arena: Arena, object: KubeObject, desired: KubeObject): Promise<KubeObject> {
  return arena.cluster.apply(desired, await arena.cluster.create(object));
}

/** The numbers of a Service's ports. */
export function portsOf(object: KubeObject): unknown {
  const ports = field(object, 'spec', 'ports');
  return Array.isArray(ports)
    ? ports.map((port: unknown) => new Map(Object.entries(Object(port))).get('port')).sort()
    : ports;
}

/** Whose field is whose, and what goes when it is no longer desired. */
export const ownershipCases: readonly Case[] = [
  {
    name: 'a field that is no longer desired goes, also when the object was posted',
    run: async (arena) =>
      field(await posted(arena, configMap(arena, { x: '1', y: '2' }), configMap(arena, { x: '1' })), 'data'),
    want: { x: '1' },
  },
  {
    name: 'a field that is no longer desired goes at a later apply too',
    run: async (arena) => {
      const first = await posted(arena, configMap(arena, { x: '1' }), configMap(arena, { x: '1', y: '2' }));
      return field(await arena.cluster.apply(configMap(arena, { x: '1' }), first), 'data');
    },
    want: { x: '1' },
  },
  {
    name: 'a label and an annotation that are no longer desired go',
    run: async (arena) => {
      const both = { labels: { a: '1', b: '2' }, annotations: { a: '1', b: '2' } };
      const one = { labels: { a: '1' }, annotations: { a: '1' } };
      const { metadata } = await posted(arena, configMap(arena, {}, both), configMap(arena, {}, one));
      return [metadata.labels, metadata.annotations];
    },
    want: [{ a: '1' }, { a: '1' }],
  },
  {
    name: 'the last field of a map that is no longer desired takes the map away',
    run: async (arena) =>
      field(
        await posted(arena, configMap(arena, { x: '1' }), withFields(configMap(arena, {}), { data: undefined })),
        'data',
      ),
    want: undefined,
  },
  {
    name: 'after the first apply Knudge owns the object in one entry, by Apply',
    run: async (arena) => {
      const { metadata } = await posted(arena, configMap(arena, { x: '1', y: '2' }), configMap(arena, { x: '1' }));
      return metadata.managedFields?.filter((entry) => entry.manager === manager).map(({ operation }) => operation);
    },
    want: ['Apply'],
  },
  {
    name: "somebody else's field survives",
    run: async (arena) => {
      const first = await arena.cluster.create(configMap(arena, { x: '1' }));
      const theirs = await arena.user.put(withFields(first, { data: { x: '1', theirs: '2' } }));
      return field(await arena.cluster.apply(configMap(arena, { x: '2' }), theirs), 'data');
    },
    want: { x: '2', theirs: '2' },
  },
  {
    name: "somebody else's label survives",
    run: async (arena) => {
      const first = await arena.cluster.create(configMap(arena, {}, { labels: { ours: '1' } }));
      const labels = { ours: '1', theirs: '1' };
      const theirs = await arena.user.put({ ...first, metadata: { ...first.metadata, labels } });
      return (await arena.cluster.apply(configMap(arena, {}, { labels: { ours: '2' } }), theirs)).metadata.labels;
    },
    want: { ours: '2', theirs: '1' },
  },
  {
    name: 'a field that somebody else changed is taken back',
    run: async (arena) => {
      const first = await posted(arena, configMap(arena, { x: '1' }), configMap(arena, { x: '1' }));
      const theirs = await arena.user.put(withFields(first, { data: { x: 'theirs' } }));
      return field(await arena.cluster.apply(configMap(arena, { x: '1' }), theirs), 'data');
    },
    want: { x: '1' },
  },
  {
    name: 'a field that somebody else removed comes back',
    run: async (arena) => {
      const first = await posted(arena, configMap(arena, { x: '1' }), configMap(arena, { x: '1' }));
      const theirs = await arena.user.put(withFields(first, { data: {} }));
      return field(await arena.cluster.apply(configMap(arena, { x: '1' }), theirs), 'data');
    },
    want: { x: '1' },
  },
  {
    name: 'a field that somebody else changed and we no longer desire is theirs',
    run: async (arena) => {
      const first = await posted(arena, configMap(arena, { x: '1', y: '1' }), configMap(arena, { x: '1', y: '1' }));
      const theirs = await arena.user.put(withFields(first, { data: { x: '1', y: 'theirs' } }));
      return field(await arena.cluster.apply(configMap(arena, { x: '1' }), theirs), 'data');
    },
    want: { x: '1', y: 'theirs' },
  },
  {
    name: 'a field that we desired as somebody else had set it stays when we no longer desire it',
    run: async (arena) => {
      const theirs = await arena.user.put(configMap(arena, { x: '1', y: '1' }));
      const both = await arena.cluster.apply(configMap(arena, { x: '1', y: '1' }), theirs);
      return field(await arena.cluster.apply(configMap(arena, { x: '1' }), both), 'data');
    },
    want: { x: '1', y: '1' },
  },
  {
    name: "somebody else's finalizer survives an apply that says nothing of finalizers",
    run: async (arena) => {
      const first = await arena.cluster.create(configMap(arena, { x: '1' }));
      const theirs = await arena.user.put({
        ...first,
        metadata: { ...first.metadata, finalizers: ['example.com/keep'] },
      });
      return (await arena.cluster.apply(configMap(arena, { x: '2' }), theirs)).metadata.finalizers;
    },
    want: ['example.com/keep'],
  },
  {
    name: "somebody else's owner reference survives beside ours",
    run: async (arena) => {
      const [mine, other] = [await ownerFor(arena, 'mine'), await ownerFor(arena, 'other')];
      const ours = { ownerReferences: [mine] };
      const first = await arena.cluster.create(configMap(arena, { x: '1' }, ours));
      const theirs = await arena.user.put({
        ...first,
        metadata: { ...first.metadata, ownerReferences: [mine, other] },
      });
      const { metadata } = await arena.cluster.apply(configMap(arena, { x: '2' }, ours), theirs);
      return metadata.ownerReferences?.map(({ uid }) => uid === mine.uid || uid === other.uid);
    },
    want: [true, true],
  },
  {
    name: 'an item of a keyed list that is no longer desired goes',
    run: async (arena) => portsOf(await posted(arena, service(arena, [80, 443]), service(arena, [80]))),
    want: [80],
  },
  {
    name: "somebody else's item of a keyed list survives",
    run: async (arena) => {
      const first = await arena.cluster.create(service(arena, [80]));
      const theirs = await arena.user.put(
        withFields(first, { spec: { ...Object(field(first, 'spec')), ports: theirPorts } }),
      );
      return portsOf(await arena.cluster.apply(service(arena, [80, 443]), theirs));
    },
    want: [443, 8080, 80].sort(),
  },
  {
    name: 'an environment variable that is no longer desired goes from a Deployment',
    run: async (arena) => {
      await arena.cluster.create(withEnv(deployment(arena, 'env'), ['A', 'B']));
      const desired = withEnv(deployment(arena, 'env'), ['A']);
      await onLive(arena, desired, (live) => arena.cluster.apply(desired, live));
      return envOf(await liveOf(arena, desired));
    },
    want: ['A'],
  },
];

const theirPorts = [
  { name: 'p80', port: 80, protocol: 'TCP' },
  { name: 'theirs', port: 8080, protocol: 'TCP' },
];

function withEnv(object: KubeObject, names: readonly string[]): KubeObject {
  const container = { name: 'main', image: 'example.com/main:1', env: names.map((name) => ({ name, value: '1' })) };
  const labels = { app: 'env' };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  return withFields(object, { spec: { replicas: 0, selector: { matchLabels: labels }, template } });
}

function envOf(object: KubeObject): unknown {
  const containers = field(object, 'spec', 'template', 'spec', 'containers');
  const [container]: readonly unknown[] = Array.isArray(containers) ? containers : [];
  const env: unknown = new Map(Object.entries(Object(container))).get('env');
  return Array.isArray(env)
    ? env.map((variable: unknown) => new Map(Object.entries(Object(variable))).get('name'))
    : env;
}
