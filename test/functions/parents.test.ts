import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { functions, type Stem } from '../../functions/table.ts';
import type { Change } from '../../src/domain/change.ts';
import type { DistributedServiceSpec } from '../../src/domain/distributed-service.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../src/domain/kube-object.ts';
import { decode } from '../../src/wire/decode.ts';
import { toChange } from '../../src/wire/to-change.ts';
import { memoryCluster } from '../build/memory-cluster.ts';
import { distributedService, object, serverProfile } from '../build/objects.ts';

const owned = (kind: string, name: string) => ({
  ownerReferences: [
    { apiVersion: kind === 'Message' ? 'myorg.dev/v1' : 'frp.io/v1', kind, name, uid: 'u', controller: true },
  ],
});
const labelled = { labels: { 'frp.io/service': 'web' } };
const profileLabels = { labels: { 'frp.io/server-profile': 'default' } };
const supplied: Partial<DistributedServiceSpec> = {
  security: { mtls: { enabled: true, autoGenerate: false, secretName: 'mine' } },
};

interface Row {
  readonly sentence: string;
  readonly stem: Stem;
  readonly subject: KubeObject;
  readonly parents: readonly string[];
  /** What there is in the cluster besides. */
  readonly cluster?: readonly KubeObject[];
}

const web = 'DistributedService shop/web';
const rows: readonly Row[] = [
  {
    sentence: 'a labelled Pod concerns its service',
    stem: 'pod-changed',
    subject: object('Pod', 'p', { metadata: labelled }),
    parents: [web],
  },
  {
    sentence: "a Message's Pod concerns the Message",
    stem: 'pod-changed',
    subject: object('Pod', 'msg-hello', { metadata: owned('Message', 'hello') }),
    parents: ['Message shop/hello'],
  },
  {
    sentence: 'a Pod of anybody else concerns nobody',
    stem: 'pod-changed',
    subject: object('Pod', 'p', { metadata: owned('ReplicaSet', 'x') }),
    parents: [],
  },
  {
    sentence: 'a Pod that is both concerns both',
    stem: 'pod-changed',
    subject: object('Pod', 'p', { metadata: { ...labelled, ...owned('Message', 'hello') } }),
    parents: [web, 'Message shop/hello'],
  },
  {
    sentence: 'a labelled Service concerns its service',
    stem: 'service-changed',
    subject: object('Service', 's', { metadata: labelled }),
    parents: [web],
  },
  {
    sentence: 'our Service concerns its owner',
    stem: 'service-changed',
    subject: object('Service', 's', { metadata: owned('DistributedService', 'web') }),
    parents: [web],
  },
  {
    sentence: 'our labelled Service concerns its owner once',
    stem: 'service-changed',
    subject: object('Service', 's', { metadata: { ...labelled, ...owned('DistributedService', 'web') } }),
    parents: [web],
  },
  {
    sentence: 'our ConfigMap concerns its owner',
    stem: 'config-map-changed',
    subject: object('ConfigMap', 'c', { metadata: owned('DistributedService', 'web') }),
    parents: [web],
  },
  {
    sentence: 'a server profile concerns every service of its namespace that uses it',
    stem: 'config-map-changed',
    subject: serverProfile(),
    cluster: [
      distributedService('web'),
      distributedService('api', { serverProfile: 'other' }),
      distributedService('db', {}, { namespace: 'bank' }),
    ],
    parents: [web],
  },
  {
    sentence: "a server profile of the controller's namespace concerns every service that uses it",
    stem: 'config-map-changed',
    subject: object('ConfigMap', 'frps', { metadata: { namespace: 'knudge', ...profileLabels } }),
    cluster: [distributedService('web'), distributedService('db', {}, { namespace: 'bank' })],
    parents: ['DistributedService bank/db', web],
  },
  {
    sentence: 'any other ConfigMap concerns nobody',
    stem: 'config-map-changed',
    subject: object('ConfigMap', 'c'),
    cluster: [distributedService('web')],
    parents: [],
  },
  {
    sentence: 'our Secret concerns its owner',
    stem: 'secret-changed',
    subject: object('Secret', 's', { metadata: owned('DistributedService', 'web') }),
    parents: [web],
  },
  {
    sentence: 'a Secret that a service names concerns it',
    stem: 'secret-changed',
    subject: object('Secret', 'mine'),
    cluster: [distributedService('web', supplied), distributedService('api')],
    parents: [web],
  },
  {
    sentence: 'the authority of a server profile concerns those who use the profile',
    stem: 'secret-changed',
    subject: object('Secret', 'frp-default-ca', {
      metadata: { labels: { 'frp.io/certificate-authority': 'default' } },
    }),
    cluster: [distributedService('web'), distributedService('api', { serverProfile: 'other' })],
    parents: [web],
  },
  {
    sentence: 'our Deployment concerns its owner',
    stem: 'deployment-changed',
    subject: object('apps/v1 Deployment', 'frp-web', { metadata: owned('DistributedService', 'web') }),
    parents: [web],
  },
  {
    sentence: 'any other Deployment concerns nobody',
    stem: 'deployment-changed',
    subject: object('apps/v1 Deployment', 'x', { metadata: labelled }),
    parents: [],
  },
  {
    sentence: 'a slice of our selector Service concerns its service',
    stem: 'endpoint-slice-changed',
    subject: object('discovery.k8s.io/v1 EndpointSlice', 'x', { metadata: labelled }),
    parents: [web],
  },
  {
    sentence: 'a DistributedService concerns itself',
    stem: 'distributed-service-changed',
    subject: distributedService('web'),
    parents: [web],
  },
  {
    sentence: 'a Message concerns itself',
    stem: 'message-changed',
    subject: object('myorg.dev/v1 Message', 'hello'),
    parents: ['Message shop/hello'],
  },
];

async function parentsOf(stem: Stem, change: Change, cluster = memoryCluster()): Promise<readonly string[]> {
  const found: string[] = [];
  const reconcile = async (ref: ObjectRef) => {
    found.push(describe(ref));
    return { result: 'done', reads: 0, writes: 0 } as const;
  };
  await functions[stem].handle(change, { reader: cluster, controllerNamespace: 'knudge', reconcile });
  return found.sort();
}

for (const { sentence, stem, subject, parents, cluster: others = [] } of rows) {
  test(sentence, async () => {
    const cluster = memoryCluster();
    for (const one of [...others, subject]) cluster.put(one);
    const change: Change = { id: '1', verb: 'updated', ref: refOf(subject) };
    assert.deepEqual(await parentsOf(stem, { ...change, hint: subject }, cluster), parents, 'as the event carried it');
    assert.deepEqual(await parentsOf(stem, change, cluster), parents, 'by its name alone');
  });
}

test('a Secret of ours that is gone is known by its name', async () => {
  const cluster = memoryCluster();
  for (const one of [distributedService('web'), distributedService('api')]) cluster.put(one);
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'frp-web-identity' };
  assert.deepEqual(await parentsOf('secret-changed', { id: '1', verb: 'deleted', ref }, cluster), [web]);
});

test('a certificate authority that is gone is known by its name, also to services of other namespaces', async () => {
  const cluster = memoryCluster();
  for (const one of [distributedService('web'), distributedService('api', { serverProfile: 'other' })])
    cluster.put(one);
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'knudge', name: 'frp-default-ca' };
  assert.deepEqual(await parentsOf('secret-changed', { id: '1', verb: 'deleted', ref }, cluster), [web]);
});

test('the data of a Secret is never read to learn whom it concerns', async () => {
  const cluster = memoryCluster();
  cluster.put(object('Secret', 'mine', { data: { key: 'c2VjcmV0' } }));
  await parentsOf('secret-changed', { id: '1', verb: 'updated', ref: refOf(object('Secret', 'mine')) }, cluster);
  assert.deepEqual(
    cluster.calls.flatMap(({ verb, ref }) => (ref.kind === 'Secret' ? [verb] : [])),
    ['getMetadata'],
  );
});

test('one parent that fails does not keep the others from their turn, and the event comes again', async () => {
  const cluster = memoryCluster();
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  for (const name of names) cluster.put(distributedService(name));
  cluster.put(serverProfile());
  const seen: string[] = [];
  const change: Change = { id: '1', verb: 'updated', ref: refOf(serverProfile()), hint: serverProfile() };
  const reconcile = async ({ name }: ObjectRef) => {
    seen.push(name);
    if (name === 's3') throw new Error('broken');
    return { result: 'done', reads: 0, writes: 0 } as const;
  };
  const context = { reader: cluster, controllerNamespace: 'knudge', reconcile };
  await assert.rejects(functions['config-map-changed'].handle(change, context), /broken/);
  assert.deepEqual(seen.sort(), names.sort());
});

for (const stem of Object.keys(functions) as Stem[]) {
  const folder = `test/fixtures/events/${stem}`;
  for (const file of readdirSync(folder)) {
    test(`${stem} takes the recorded event ${file}`, async () => {
      const { headers, body } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
      const change = toChange(decode({ headers, body: Buffer.from(JSON.stringify(body)) }));
      assert.ok(change);
      const kind = `${change.ref.apiVersion.includes('/') ? change.ref.apiVersion.split('/')[0] : ''}/${change.ref.kind}`;
      assert.equal(kind, functions[stem].kind);
      await parentsOf(stem, change);
    });
  }
}
