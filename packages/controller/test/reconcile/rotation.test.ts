import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, look, running, secured, service } from '../../../../test/build/running-service.ts';
import { inspect } from '../../../issuing/inspect.ts';
import { KnudgeError } from '../../domain/errors.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { refOf } from '../../domain/kube-object.ts';

const ref = refOf(service);
const authorityRef = childRef('Secret', 'frp-default-ca');
const leafRef = childRef('Secret', 'frp-web-tls');

type Data = Readonly<Record<string, string>>;

/** The texts of a Secret. */
async function dataOf(cluster: MemoryCluster, at = authorityRef): Promise<Data> {
  const { data = {} } = (await cluster.get(at)) as unknown as { readonly data?: Data };
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

const blocks = (text = ''): number => text.split('BEGIN CERTIFICATE').length - 1;

/** How it stands: what servers are to trust, whether there is a successor, and who signed the leaf. */
async function standing(cluster: MemoryCluster, leafAt = leafRef) {
  const [stored, leaf] = [await dataOf(cluster), await dataOf(cluster, leafAt)];
  const pair = { certificate: leaf['tls.crt'] ?? '', key: leaf['tls.key'] ?? '' };
  const isBy = (certificate = ''): boolean => certificate !== '' && inspect(pair, certificate) !== undefined;
  const signer = isBy(stored['tls.crt']) ? 'authority' : isBy(stored['next.crt']) ? 'next' : 'nobody';
  for (const key of ['tls.crt', 'next.crt'])
    assert.ok((stored['ca.crt'] ?? '').includes(stored[key] ?? ''), `${key} is in the bundle`);
  return { trusted: blocks(stored['ca.crt']), hasNext: 'next.key' in stored, signer };
}

async function told(cluster: MemoryCluster): Promise<string> {
  const found = (await look(cluster)).status?.conditions?.find(({ type }) => type === 'CertificatesReady');
  return `${String(found?.reason)}: ${String(found?.message)}`;
}

const annotated = async (cluster: MemoryCluster, value: string): Promise<void> => {
  const secret = (await cluster.get(authorityRef)) as KubeObject;
  cluster.put({ ...secret, metadata: { ...secret.metadata, annotations: { 'frp.io/rotate': value } } });
};

/** What happens on which day, after a person has asked on the second for another one. */
const wish = '2026-01-02T00:00:00Z';
const days: readonly [now: string, what: string, is: Awaited<ReturnType<typeof standing>>][] = [
  ['2026-01-01T23:59:59Z', 'nothing: that was no time yet', { trusted: 1, hasNext: false, signer: 'authority' }],
  ['2026-01-02T00:00:00Z', 'a successor is made', { trusted: 2, hasNext: true, signer: 'authority' }],
  ['2026-01-07T00:00:00Z', 'the elder still signs', { trusted: 2, hasNext: true, signer: 'authority' }],
  ['2026-01-31T23:59:59Z', 'the elder signs for the last time', { trusted: 2, hasNext: true, signer: 'authority' }],
  ['2026-02-01T00:00:00Z', 'the successor signs', { trusted: 2, hasNext: true, signer: 'next' }],
  ['2026-02-07T23:59:59Z', 'both are trusted', { trusted: 2, hasNext: true, signer: 'next' }],
  ['2026-02-08T00:00:00Z', 'the successor takes its place', { trusted: 1, hasNext: false, signer: 'authority' }],
  ['2026-02-14T00:00:00Z', 'it is over', { trusted: 1, hasNext: false, signer: 'authority' }],
];

test('an authority is rotated when a person asks: in two writes, and without a Pod that starts anew', async () => {
  const cluster = await running(secured);
  const first = await dataOf(cluster);
  const deployment = await cluster.get(childRef('Deployment', 'frp-web', 'apps/v1'));
  await annotated(cluster, wish);
  for (const [now, what, is] of days) {
    await reconcileOn(cluster, ref, { now });
    assert.deepEqual(await standing(cluster), is, `${now}: ${what}`);
    await reconcileOn(cluster, ref, { now });
    assert.equal((await reconcileOn(cluster, ref, { now })).writes, 0, `${now}: it has come to rest`);
    if (now === wish)
      assert.match(await told(cluster), /; from 2026-02-01T00:00:00Z another authority signs.*shop\/frp-default-ca$/);
  }
  const writes = cluster.calls.filter(({ verb, ref: { name } }) => verb === 'apply' && name === authorityRef.name);
  assert.equal(writes.length, 2);
  assert.notEqual((await dataOf(cluster))['tls.key'], first['tls.key']);
  assert.deepEqual(await cluster.get(childRef('Deployment', 'frp-web', 'apps/v1')), deployment);
});

test('an authority is rotated at two thirds of its life, whoever was asleep on the way', async () => {
  const cluster = await running(secured);
  await reconcileOn(cluster, ref, { now: '2032-08-30T07:49:59Z' });
  assert.equal((await standing(cluster)).trusted, 1);
  await reconcileOn(cluster, ref, { now: '2032-08-30T07:50:00Z' });
  assert.deepEqual(await standing(cluster), { trusted: 2, hasNext: true, signer: 'authority' });
  await reconcileOn(cluster, ref, { now: '2040-01-01T00:00:00Z' });
  assert.deepEqual(await standing(cluster), { trusted: 1, hasNext: false, signer: 'authority' });
  assert.match(await told(cluster), /^CertificatesProvisioned: The certificate is valid until 2040-01-07T23:50:00Z$/);
});

for (const [what, now] of [
  ['the successor is made', wish],
  ['it takes its place', '2026-02-08T00:00:00Z'],
] as const) {
  test(`two instances at once, when ${what}: one write is taken, and both go on with it`, async () => {
    const cluster = await running(secured);
    cluster.put({ ...distributedService('api'), spec: secured } as KubeObject);
    await reconcileOn(cluster, refOf(distributedService('api')));
    await annotated(cluster, wish);
    if (now !== wish) await reconcileOn(cluster, ref, { now: wish });
    let stored: Data | undefined;
    cluster.before = async ({ verb, ref: { name } }) => {
      if (verb !== 'apply' || name !== authorityRef.name) return;
      cluster.before = undefined;
      await reconcileOn(cluster, refOf(distributedService('api')), { now });
      stored = await dataOf(cluster);
    };
    await reconcileOn(cluster, ref, { now });
    assert.ok(stored, 'the other came in between');
    assert.deepEqual(await dataOf(cluster), stored);
    const leaves = [leafRef, childRef('Secret', 'frp-api-tls')];
    for (const leaf of leaves) assert.equal((await standing(cluster, leaf)).signer, 'authority');
  });
}

/** This many writes of a run are carried out; then the process ends. */
async function dyingAfter(cluster: MemoryCluster, writes: number, now: string): Promise<void> {
  let left = writes;
  cluster.before = ({ verb }) => {
    if (!['create', 'apply', 'status'].includes(verb)) return;
    left -= 1;
    if (left < 0) throw new KnudgeError('unavailable', 'killed');
  };
  await assert.rejects(reconcileOn(cluster, ref, { now }), /killed/);
  cluster.before = undefined;
}

for (const [index, [now, what, is]] of days.entries()) {
  if (!/made|successor/.test(what)) continue;
  test(`whoever dies on ${now.slice(0, 10)}, when ${what}, leaves nothing undone that the next one does not do`, async () => {
    for (const writes of [0, 1]) {
      const cluster = await running(secured);
      await annotated(cluster, wish);
      for (const [before] of days.slice(0, index)) await reconcileOn(cluster, ref, { now: before });
      await dyingAfter(cluster, writes, now);
      await reconcileOn(cluster, ref, { now });
      assert.deepEqual(await standing(cluster), is);
    }
  });
}

const broken: Readonly<Record<string, (data: Data) => Data>> = {
  'without its key': ({ 'next.key': _, ...data }) => data,
  'with the key of another': (data) => ({ ...data, 'next.key': data['tls.key'] ?? '' }),
  'that is garbage': (data) => ({ ...data, 'next.crt': 'Z2FyYmFnZQ==' }),
};
for (const [what, breaking] of Object.entries(broken)) {
  test(`a successor ${what} is told and left alone, and the elder goes on signing`, async () => {
    const cluster = await running(secured);
    await annotated(cluster, wish);
    await reconcileOn(cluster, ref, { now: wish });
    const secret = (await cluster.get(authorityRef)) as KubeObject & { readonly data: Data };
    cluster.put({ ...secret, data: breaking(secret.data) } as KubeObject);
    const before = await cluster.get(authorityRef);
    await reconcileOn(cluster, ref, { now: '2026-02-10T00:00:00Z' });
    assert.match(await told(cluster), /^AuthorityInvalid: Secret shop\/frp-default-ca .* next\.crt .*: remove both/);
    assert.deepEqual(await cluster.get(authorityRef), before);
    const leaf = await dataOf(cluster, leafRef);
    const pair = { certificate: leaf['tls.crt'] ?? '', key: leaf['tls.key'] ?? '' };
    assert.equal(inspect(pair, (await dataOf(cluster))['tls.crt'])?.notAfter, '2026-02-16T23:50:00Z');
  });
}

test('a bundle that somebody changed, or that an older version did not make, is brought back', async () => {
  const cluster = await running(secured);
  const secret = (await cluster.get(authorityRef)) as KubeObject & { readonly data: Data };
  const { 'ca.crt': _, ...without } = secret.data;
  for (const data of [without, { ...without, 'ca.crt': '' }]) {
    cluster.put({ ...secret, data } as KubeObject);
    await reconcileOn(cluster, ref);
    assert.equal((await dataOf(cluster))['ca.crt'], (await dataOf(cluster))['tls.crt']);
  }
});

test('a wish that is no time is told', async () => {
  const cluster = await running(secured);
  await annotated(cluster, 'please');
  await reconcileOn(cluster, ref, { now: wish });
  assert.match(await told(cluster), /; the annotation frp\.io\/rotate of Secret shop\/frp-default-ca is not a time/);
});

test('a service without mutual TLS leaves the authority alone; with it again it goes on where time has come to', async () => {
  const cluster = await running(secured);
  await annotated(cluster, wish);
  await reconcileOn(cluster, ref, { now: wish });
  const before = await cluster.get(authorityRef);
  cluster.put({ ...(await look(cluster)), spec: service.spec } as KubeObject);
  await reconcileOn(cluster, ref, { now: '2026-03-01T00:00:00Z' });
  assert.match(await told(cluster), /^NotRequired/);
  assert.equal(await cluster.get(leafRef), undefined);
  assert.deepEqual(await cluster.get(authorityRef), before);
  cluster.put({ ...(await look(cluster)), spec: secured } as KubeObject);
  await reconcileOn(cluster, ref, { now: '2026-03-02T00:00:00Z' });
  assert.deepEqual(await standing(cluster), { trusted: 1, hasNext: false, signer: 'authority' });
  assert.notDeepEqual((await cluster.get(authorityRef))?.metadata.resourceVersion, before?.metadata.resourceVersion);
});
