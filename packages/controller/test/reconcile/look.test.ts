import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, running, secured, service } from '../../../../test/build/running-service.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';
import { labels } from '../../domain/names.ts';
import { asked, backend, web } from './asked.ts';

test('an event of a backend that changes nothing costs eight reads, in any order but the owner first', async () => {
  const { result, reads, writes, calls } = await asked(await running());
  assert.deepEqual([result, reads, writes], ['done', 8, 0]);
  assert.equal(calls[0], 'get DistributedService web');
  assert.deepEqual(calls.slice(1).toSorted(), [
    'get Deployment frp-web',
    'list ConfigMap',
    'list ConfigMap',
    'list Pod',
    'list Pod',
    'list Service',
    'list Service',
  ]);
});

const selector = distributedService('web', {
  backends: { discovery: 'selector', port: 8080, replicas: 1, selector: { matchLabels: { app: 'web' } } },
}).spec;

test('a selector that finds the backends costs seven', async () => {
  const { result, reads, writes } = await asked(await running(selector));
  assert.deepEqual([result, reads, writes], ['done', 7, 0]);
});

test('a parent that is gone costs one read', async () => {
  const cluster = await running();
  cluster.remove(web);
  await reconcileOn(cluster, web);
  cluster.collectGarbage();
  await reconcileOn(cluster, web);
  assert.deepEqual(await asked(cluster), {
    result: 'gone',
    reads: 1,
    writes: 0,
    calls: ['get DistributedService web'],
  });
});

test('all is read where the spec has news, and where the resync, a person or a dry run asks', async () => {
  const cluster = await running();
  const whole = (await reconcileOn(cluster, web)).reads;
  assert.equal(whole, 13);
  const planned = await reconcileOn(cluster, web, { about: [backend], dryRun: true });
  assert.equal(planned.reads, whole);
  cluster.put({ ...service, spec: { ...service.spec, expose: { remotePort: 7009 } } } as KubeObject);
  assert.ok((await asked(cluster)).calls.includes('get Secret frp-web-identity'));
});

/** What somebody, or something, may do to an object. */
const harms: Readonly<Record<string, (object: KubeObject) => KubeObject | undefined>> = {
  deleted: () => undefined,
  'without labels': (object) => ({ ...object, metadata: { ...object.metadata, labels: {} } }),
  'without an owner': (object) => ({ ...object, metadata: { ...object.metadata, ownerReferences: [] } }),
  'without both': (object) => ({ ...object, metadata: { ...object.metadata, labels: {}, ownerReferences: [] } }),
  'without its hash': (object) => ({ ...object, metadata: { ...object.metadata, annotations: {} } }),
  'with other data': (object) => ({
    ...object,
    ...('data' in object && !('immutable' in object) && { data: othersThan(object) }),
  }),
};

/** Another value for each key. */
function othersThan({ kind, data }: KubeObject & { readonly data: unknown }): object {
  const value = kind === 'Secret' ? btoa('{}') : '{}';
  return Object.fromEntries(Object.keys(data ?? {}).map((key) => [key, value]));
}

/** The cluster without what differs from run to run. */
function stateOf(cluster: MemoryCluster): string {
  const bare = ({ metadata, ...rest }: KubeObject) => {
    const { uid: _, resourceVersion: _version, managedFields: _fields, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  const all = cluster.objects().map((object) => JSON.stringify(bare(object)));
  return all
    .toSorted()
    .join('\n')
    .replaceAll(/"token":"[^"]*"|[0-9a-f]{32}|"[0-9A-Za-z+/=]{64,}"/g, '…');
}

const specs = {
  'with a Secret of each sort': secured,
  'by a selector': selector,
} as const;

/** An event of a Claim wakes: it has all read in any case. */
function othersIn(cluster: MemoryCluster): readonly KubeObject[] {
  return cluster.objects().filter(({ kind }) => !['DistributedService', 'Claim'].includes(kind));
}

for (const [what, spec] of Object.entries(specs)) {
  test(`a service ${what}: whatever happens to any object, a look comes to the same as all reads`, async () => {
    const all = othersIn(await running(spec));
    assert.ok(all.length >= 6);
    for (const [index] of all.entries()) {
      for (const [harm, make] of Object.entries(harms)) {
        const ends = await Promise.all(
          [true, false].map(async (looks) => {
            const cluster = await running(spec);
            const object = othersIn(cluster)[index];
            assert.ok(object);
            const harmed = make(object);
            if (harmed === undefined) cluster.remove(refOf(object));
            else cluster.put(harmed);
            await reconcileOn(cluster, web, looks ? { about: [refOf(object)] } : {});
            return stateOf(cluster);
          }),
        );
        assert.deepEqual(
          ends[0]?.split('\n'),
          ends[1]?.split('\n'),
          `${all[index]?.kind} ${all[index]?.metadata.name} ${harm}`,
        );
      }
    }
  });
}

test('a child that the spec does not want any more, and somebody brings back, goes when its own event comes', async () => {
  const cluster = await running();
  const { uid = '' } = (await cluster.get(web))?.metadata ?? {};
  const metadata = { name: 'frp-web-tls', namespace: 'shop', labels: { [labels.ownerUid]: uid } };
  const stray = { apiVersion: 'v1', kind: 'Secret', metadata, data: {} } as KubeObject;
  cluster.put(stray);
  await asked(cluster, [refOf(stray)]);
  assert.equal(await cluster.get(childRef('Secret', 'frp-web-tls')), undefined);
});

test('a profile that is gone, and one that says something else, are found by a look', async () => {
  const cluster = await running();
  const profile = serverProfile();
  cluster.put({ ...profile, data: { ...(profile as { data?: object }).data, serverPort: '7777' } } as KubeObject);
  assert.notEqual((await asked(cluster, [refOf(profile)])).writes, 0);
  cluster.remove(refOf(profile));
  assert.notEqual((await asked(cluster, [refOf(profile)])).writes, 0);
});
