import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { backendPod, forUse, object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import {
  childRef,
  look,
  reasonOf,
  running,
  secured,
  service,
  startTunnel,
  tunnel,
} from '../../../../test/build/running-service.ts';
import { issuer } from '../../../issuing/issuer.ts';
import type { KeyPair } from '../../../issuing/types.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const leafRef = childRef('Secret', 'frp-web-tls');
const span = { notBefore: '2025-01-01T00:00:00Z', notAfter: '2035-01-01T00:00:00Z' };
const names = { commonName: 'web', dnsNames: ['web.shop.distributedservices.frp.io'], usage: 'client' } as const;
const authority = await issuer.authority({ commonName: 'Knudge clients of default', ...span });
const leaf = await issuer.leaf({ ...names, authority, ...span });

const encode = (text: string): string => Buffer.from(text).toString('base64');
const dataOf = ({ certificate, key }: KeyPair) => ({ 'tls.crt': encode(certificate), 'tls.key': encode(key) });

const unable: readonly [sentence: string, pair: KeyPair][] = [
  ['garbage for its certificate', { ...authority, certificate: 'garbage' }],
  ['garbage for its key', { ...authority, key: 'garbage' }],
  ['the key of another', { ...authority, key: leaf.key }],
  ['the pair of a leaf', leaf],
];
for (const [sentence, pair] of unable) {
  test(`an authority with ${sentence} signs nothing, is kept and told`, async () => {
    const cluster = memoryCluster();
    const labels = { 'frp.io/certificate-authority': 'default', 'app.kubernetes.io/managed-by': 'knudge' };
    const stored = object('Secret', 'frp-default-ca', { metadata: { labels }, data: dataOf(pair) });
    for (const one of [serverProfile(), { ...service, spec: secured }, stored]) cluster.put(one);
    const before = await cluster.get(refOf(stored));
    await reconcileOn(cluster, ref);
    assert.equal(reasonOf(await look(cluster), 'CertificatesReady'), 'AuthorityInvalid');
    assert.equal((await look(cluster)).status?.state, 'Failed');
    assert.equal(await cluster.get(leafRef), undefined);
    assert.deepEqual(await cluster.get(refOf(stored)), before);
  });
}

const refused: readonly [sentence: string, change: object, now: string, told: RegExp][] = [
  [
    'is still valid',
    {},
    '2026-01-06T00:00:00Z',
    /^CertificatesProvisioned: The certificate is valid until 2026-01-07T23:50:00Z$/,
  ],
  ['has ended', {}, '2026-01-09T00:00:00Z', /^CertificatesIssuing: /],
  ['is none', { data: { 'tls.crt': '', 'tls.key': '' } }, '2026-01-02T00:00:00Z', /^CertificatesIssuing: /],
];
for (const [sentence, change, now, told] of refused) {
  test(`where a new leaf is refused and the stored one ${sentence}, the status speaks of that, and only once`, async () => {
    const cluster = await running(secured);
    const stored = await cluster.get(leafRef);
    cluster.put({ ...stored, ...change } as KubeObject);
    cluster.before = ({ verb, ref: { name } }) => {
      if (verb === 'apply' && name === leafRef.name) throw new KnudgeError('invalid-object', 'field is immutable');
    };
    await reconcileOn(cluster, ref, { now });
    const first = await look(cluster);
    const condition = first.status?.conditions?.find(({ type }) => type === 'CertificatesReady');
    assert.match(`${condition?.reason}: ${condition?.message}`, told);
    assert.equal(reasonOf(first, 'ConfigurationValid'), 'InvalidObject');
    await reconcileOn(cluster, ref, { now: now.replace('T00:', 'T01:') });
    assert.deepEqual(await look(cluster), first);
  });
}

test('a leaf that was never stored, because another child was refused, is not told as made', async () => {
  const cluster = memoryCluster();
  for (const one of [serverProfile(), { ...service, spec: secured }]) cluster.put(one);
  cluster.before = ({ verb, ref: { kind } }) => {
    if (verb === 'create' && kind === 'ConfigMap') throw new KnudgeError('quota-exceeded', 'no more');
  };
  await reconcileOn(cluster, ref);
  const first = await look(cluster);
  assert.equal(reasonOf(first, 'CertificatesReady'), 'CertificatesIssuing');
  await reconcileOn(cluster, ref, { now: '2026-01-01T01:00:00Z' });
  assert.deepEqual(await look(cluster), first);
});

test('a certificate that somebody supplied is told to end in time: with an Event, and without a pause', async () => {
  const mtls = { enabled: true, autoGenerate: false, secretName: 'own' };
  const cluster = memoryCluster();
  const supplied = forUse(object('Secret', 'own', { type: 'kubernetes.io/tls', data: dataOf(leaf) }));
  const spec = { ...service.spec, security: { mtls } };
  for (const one of [serverProfile(), supplied, { ...service, spec } as KubeObject, backendPod('web-1', '10.0.0.1')])
    cluster.put(one);
  await reconcileOn(cluster, ref);
  await startTunnel(cluster);
  const times: readonly [now: string, reason: string, state: string][] = [
    ['2031-09-01T00:00:00Z', 'CertificatesProvisioned', 'Running'],
    ['2031-09-02T00:00:00Z', 'CertificateExpiring', 'Running'],
    ['2034-12-31T00:00:00Z', 'CertificateExpiring', 'Running'],
    ['2035-01-01T00:00:00Z', 'CertificateExpired', 'Failed'],
  ];
  for (const [now, reason, state] of times) {
    await reconcileOn(cluster, ref, { now });
    assert.equal(reasonOf(await look(cluster), 'CertificatesReady'), reason, now);
    assert.equal((await look(cluster)).status?.state, state, now);
  }
  const warned = cluster.calls.flatMap(({ notice }) => (notice?.reason === 'CertificateExpiring' ? [notice] : []));
  assert.deepEqual(
    warned.map(({ type, note }) => [type, note]),
    [['Warning', 'The certificate in Secret own ends at 2035-01-01T00:00:00Z: replace it before that']],
  );
});

test('another certificate in the Secret that somebody supplied starts the Pod anew; the same does not', async () => {
  const mtls = { enabled: true, autoGenerate: false, secretName: 'own' };
  const cluster = memoryCluster();
  const supplied = (pair: KeyPair) =>
    forUse(object('Secret', 'own', { type: 'kubernetes.io/tls', data: dataOf(pair) }));
  const spec = { ...service.spec, security: { mtls } };
  for (const one of [
    serverProfile(),
    supplied(leaf),
    { ...service, spec } as KubeObject,
    backendPod('web-1', '10.0.0.1'),
  ])
    cluster.put(one);
  await reconcileOn(cluster, ref);
  const template = async (): Promise<unknown> =>
    ((await cluster.get(tunnel)) as unknown as { readonly spec: { readonly template: unknown } }).spec.template;
  const before = await template();
  cluster.put({
    ...supplied(leaf),
    metadata: { name: 'own', namespace: 'shop', labels: { seen: 'yes', 'frp.io/use': 'true' } },
  });
  await reconcileOn(cluster, ref);
  assert.deepEqual(await template(), before);
  cluster.put(supplied(await issuer.leaf({ ...names, authority, ...span })));
  await reconcileOn(cluster, ref);
  assert.notDeepEqual(await template(), before);
});

test('the last minutes of an authority without a successor make no leaf after each other', async () => {
  const cluster = await running(secured);
  const authority = await cluster.get(childRef('Secret', 'frp-default-ca'));
  cluster.put({ ...authority, immutable: true } as unknown as KubeObject);
  // It ends ten years and the little that a life begins before its time after it was made.
  for (const now of ['2035-12-29T23:46:00Z', '2035-12-29T23:47:00Z', '2035-12-29T23:49:00Z']) {
    // The first reports a new leaf, and the second that it runs.
    for (let events = 0; events < 2; events += 1) await reconcileOn(cluster, ref, { now });
    assert.equal((await reconcileOn(cluster, ref, { now })).writes, 0, now);
  }
});
