import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MemoryCluster, memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { object, serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { childRef, look, running, service, tunnel } from '../../../../test/build/running-service.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';
import { digestOf, identity, identityRef, ref, type Stored, tokenAfter } from './tokens.ts';

const serverMark = 'knudge.dev/server';

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

type Filed = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** What a frpc that starts now is given: the token, and whether its configuration names the server elsewhere. */
function mounted(cluster: MemoryCluster): { readonly token: string | undefined; readonly isElsewhere: boolean } {
  const named = (name: string) => cluster.objects().find(({ metadata }) => metadata.name === name);
  const secret = named('frp-web-identity') as Stored | undefined;
  return {
    token: secret?.data.token,
    isElsewhere: JSON.stringify(named('frp-web-config')).includes('frps.example.net'),
  };
}

for (const stop of [0, 1, 2, 3, 4, 5]) {
  test(`no token is mounted with the addresses of two servers where the move to another one stops after ${stop} writes`, async () => {
    const cluster = await running();
    const { token: first } = mounted(cluster);
    cluster.put(elsewhere);
    let writes = 0;
    cluster.before = ({ verb, ref: { name } }) => {
      const { token, isElsewhere } = mounted(cluster);
      assert.ok(token === undefined || (token !== first) === isElsewhere, `before ${verb} of ${name}`);
      if (verb.startsWith('get') || verb === 'list') return;
      writes += 1;
      if (writes === stop + 1) throw new KnudgeError('unavailable', 'the function was stopped');
    };
    await assert.rejects(reconcileOn(cluster, ref), /the function was stopped/);
    assert.notEqual(await tokenAfter(cluster), first);
  });
}

/** The service is deleted and made anew; its children stay until the garbage collector takes them. */
function makeAgain(cluster: MemoryCluster): void {
  cluster.put({ ...service, metadata: { ...service.metadata, finalizers: [] } });
  cluster.remove(ref);
  cluster.put(service);
}

const configRef = childRef('ConfigMap', 'frp-web-config');

for (const [whose, takeConfig] of [
  ['the service before', () => undefined],
  [
    'somebody else',
    (cluster: MemoryCluster) => {
      const config = cluster.objects().find(({ metadata }) => metadata.name === configRef.name);
      cluster.remove(configRef);
      cluster.put(object('ConfigMap', configRef.name, { data: { ...(config as Filed | undefined)?.data } }));
    },
  ],
] as const) {
  test(`a service that is made anew for another server gets its token when the configuration of ${whose} is gone`, async () => {
    const cluster = await running();
    const { token: first } = mounted(cluster);
    makeAgain(cluster);
    takeConfig(cluster);
    cluster.put(elsewhere);
    cluster.remove(identityRef);
    for (let pass = 0; pass < 3; pass += 1) {
      await reconcileOn(cluster, ref);
      assert.deepEqual(mounted(cluster), { token: undefined, isElsewhere: false });
    }
    assert.equal(await toldDigest(cluster), undefined);
    assert.equal((await reconcileOn(cluster, ref)).writes, 0);
    cluster.remove(configRef);
    cluster.collectGarbage();
    assert.notEqual(await tokenAfter(cluster), first);
    assert.equal(await toldDigest(cluster), digestOf(await identity(cluster)));
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

const toldDigest = async (cluster: MemoryCluster): Promise<string | undefined> =>
  (await look(cluster)).status?.identityDigest;

test('the status tells a digest of the token, from the pass that makes it', async () => {
  const cluster = memoryCluster();
  for (const one of [serverProfile(), service]) cluster.put(one);
  await reconcileOn(cluster, ref);
  assert.equal(await toldDigest(cluster), digestOf(await identity(cluster)));
});

test('the digest follows the token: for another server, and where the Secret was taken away', async () => {
  const cluster = await running();
  const first = await toldDigest(cluster);
  await tokenAfter(cluster, serverProfile('default', { port: '7443' }));
  assert.equal(await toldDigest(cluster), digestOf(await identity(cluster)));
  cluster.remove(identityRef);
  await reconcileOn(cluster, ref);
  assert.equal(await toldDigest(cluster), digestOf(await identity(cluster)));
  assert.notEqual(await toldDigest(cluster), first);
});

const owned = async (cluster: MemoryCluster): Promise<KubeObject> => ({ ...(await identity(cluster)) });
const withoutToken: readonly [what: string, change: (cluster: MemoryCluster) => Promise<void>][] = [
  [
    'is on its way out',
    async (cluster) => {
      const { metadata, ...rest } = await owned(cluster);
      cluster.put({ ...rest, metadata: { ...metadata, finalizers: ['example.com/held'] } });
      cluster.remove(identityRef);
    },
  ],
  [
    "is somebody else's",
    async (cluster) => {
      const data = { token: Buffer.from('known to a tenant').toString('base64') };
      cluster.remove(identityRef);
      cluster.put(object('Secret', 'frp-web-identity', { data }));
    },
  ],
  [
    'is not wanted, since the server has no gate',
    async (cluster) => {
      const usable = { labels: { 'frp.io/use': 'true' } };
      cluster.put(object('Secret', 'frps-token', { metadata: usable, data: { token: 'dG9rZW4=' } }));
      cluster.put(serverProfile('default', { gate: 'false', tokenSecret: 'frps-token' }));
    },
  ],
];
for (const [what, change] of withoutToken) {
  test(`the status tells no digest of a token whose Secret ${what}, and the next pass writes nothing`, async () => {
    const cluster = await running();
    await change(cluster);
    for (let pass = 0; pass < 4; pass += 1) await reconcileOn(cluster, ref);
    assert.equal(await toldDigest(cluster), undefined);
    assert.equal((await reconcileOn(cluster, ref)).writes, 0);
  });
}

test('a Secret that the API server refuses is no token, and the digest of none is told', async () => {
  const cluster = memoryCluster();
  for (const one of [serverProfile(), service]) cluster.put(one);
  cluster.before = ({ verb, ref: { name } }) => {
    if (verb === 'create' && name === 'frp-web-identity') throw new KnudgeError('admission-denied', 'a policy says no');
  };
  await reconcileOn(cluster, ref);
  assert.equal(await toldDigest(cluster), undefined);
});
