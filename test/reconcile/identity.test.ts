import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, refOf } from '../../src/domain/kube-object.ts';
import type { MemoryCluster } from '../build/memory-cluster.ts';
import { serverProfile } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';
import { childRef, running, service, tunnel } from '../build/running-service.ts';

const ref = refOf(service);
const identityRef = childRef('Secret', 'frp-web-identity');
const serverMark = 'knudge.dev/server';

interface Stored extends KubeObject {
  readonly data: { readonly token: string };
}

async function identity(cluster: MemoryCluster): Promise<Stored> {
  return ((await cluster.get(identityRef)) as Stored | undefined) ?? assert.fail('there is no identity');
}

/** The token after a change, once nothing is left to do. */
async function tokenAfter(cluster: MemoryCluster, ...changed: readonly KubeObject[]): Promise<string> {
  for (const one of changed) cluster.put(one);
  for (let pass = 0; (await reconcileOn(cluster, ref)).writes > 0; pass += 1) assert.ok(pass < 4, 'it comes to rest');
  return (await identity(cluster)).data.token;
}

const elsewhere = serverProfile('default', { address: 'frps.example.net' });
const shared = { ...serverProfile(), metadata: { ...serverProfile().metadata, namespace: 'knudge' } };

test('a profile of the namespace that has the name of a shared one never sees the token of the shared one, nor the shared one its', async () => {
  const cluster = await running();
  cluster.remove(refOf(serverProfile()));
  const first = await tokenAfter(cluster, shared);
  const own = await tokenAfter(cluster, elsewhere);
  assert.notEqual(own, first);
  cluster.remove(refOf(elsewhere));
  const last = await tokenAfter(cluster);
  assert.ok(last !== first && last !== own);
});

test('a profile of the namespace that says the very server of the shared one is another one too', async () => {
  const cluster = await running();
  const own = (await identity(cluster)).data.token;
  cluster.remove(refOf(serverProfile()));
  assert.notEqual(await tokenAfter(cluster, shared), own);
});

for (const [what, data] of [
  ['address', { address: 'frps.example.net' }],
  ['port', { port: '7443' }],
] as const) {
  test(`for another ${what} of the server there is another token, and a tunnel that shows it`, async () => {
    const cluster = await running();
    const [before, { data: first }] = [await cluster.get(tunnel), await identity(cluster)];
    assert.notEqual(await tokenAfter(cluster, serverProfile('default', data)), first.token);
    assert.notDeepEqual((await cluster.get(tunnel))?.['spec' as never], before?.['spec' as never]);
  });
}

test('what else a profile says leaves the token as it is', async () => {
  const cluster = await running();
  const { token } = (await identity(cluster)).data;
  assert.equal(await tokenAfter(cluster, serverProfile('default', { heartbeatInterval: '30' })), token);
});

test('a token that an older version made stays, and is marked with its server', async () => {
  const cluster = await running();
  const { metadata, ...rest } = await identity(cluster);
  const { [serverMark]: mark, ...annotations } = metadata.annotations ?? {};
  cluster.put({ ...rest, metadata: { ...metadata, annotations } });
  assert.equal(await tokenAfter(cluster), rest.data.token);
  assert.equal((await identity(cluster)).metadata.annotations?.[serverMark], mark);
});
