import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { issuer } from '../../packages/issuing/issuer.ts';
import type { KeyPair, LeafRequest } from '../../packages/issuing/types.ts';
import { authorityName, childName } from '../../resources/distributed-service/names.ts';
import { fileSeenBy } from './pod/container.ts';
import { whyNoPods } from './pod/why-not.ts';
import { asking, startServers } from './world/asking.ts';
import { startBackend } from './world/backends.ts';
import { holdTcp, isAlive } from './world/clients.ts';
import { fieldOf } from './world/cluster.ts';
import { ports } from './world/frp-server.ts';
import { manual, service } from './world/objects.ts';
import { type Stranger, startStranger } from './world/stranger.ts';
import { type DataPlane, startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;
const day = 86_400_000;
const life = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-01-01T00:00:00Z' };

/** A certificate and its key from a Secret of `shop`. */
function pairOf(world: DataPlane, name: string): KeyPair {
  const text = (key: string): string =>
    Buffer.from(String(fieldOf(world.get('v1', 'Secret', name), 'data', key)), 'base64').toString();
  return { certificate: text('tls.crt'), key: text('tls.key') };
}

/** A world whose server takes only clients that the controller's authority has signed; `web` is one. */
async function startMutual(context: Parameters<typeof startWorld>[0], aheadMs = 0): Promise<DataPlane> {
  const world = await startWorld(context);
  world.cluster.clock.aheadMs = aheadMs;
  const servers = await startServers(context, world, { type: 'tcp', names: ['a'] });
  world.put(service({ type: 'tcp', backends: manual(servers), mtls: { enabled: true } }));
  const name = authorityName('default');
  await world.until('the authority is there', () => world.get('v1', 'Secret', name) !== undefined);
  await world.server.start(pairOf(world, name).certificate);
  await world.untilRunning('web');
  const ask = asking(world, 'tcp');
  await world.until('it answers', async () => 'by' in (await ask()));
  return world;
}

describe('mutual TLS with the real frps', { skip }, () => {
  const closers: (() => unknown)[] = [];
  let world: DataPlane;
  let authority: KeyPair;
  before(async () => {
    world = await startMutual({ after: (close) => void closers.push(close as () => unknown) });
    authority = pairOf(world, authorityName('default'));
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
  });

  const leaf = (request: Partial<LeafRequest> = {}): Promise<KeyPair> =>
    issuer.leaf({ commonName: 'web', dnsNames: ['web.shop'], usage: 'client', authority, ...life, ...request });
  const newAuthority = (): Promise<KeyPair> => issuer.authority({ commonName: 'another', ...life });

  it('lets in who shows what the controller has made: the others are not refused for anything else', async (context) => {
    for (const pair of [pairOf(world, childName('web', 'tls')), await leaf()]) {
      const frpc = startStranger(context, world, { leaf: pair });
      await world.until('it is let in', () => frpc.said().includes('login to server success'));
    }
  });

  const refused: Readonly<Record<string, () => Promise<Stranger>>> = {
    'who shows no certificate': async () => ({}),
    'who does not speak TLS': async () => ({ tls: false }),
    'a certificate of another authority': async () => ({ leaf: await leaf({ authority: await newAuthority() }) }),
    'a certificate that has expired': async () => ({ leaf: await leaf({ notAfter: '2026-01-01T00:00:00Z' }) }),
    'a certificate that is not valid yet': async () => ({ leaf: await leaf({ notBefore: '2098-01-01T00:00:00Z' }) }),
    "a server's certificate": async () => ({ leaf: await leaf({ usage: 'server' }) }),
    'who signed its certificate itself': async () => ({ leaf: await newAuthority() }),
  };
  for (const [who, stranger] of Object.entries(refused)) {
    it(`frps refuses ${who}`, async (context) => {
      const frpc = startStranger(context, world, await stranger());
      await world.until('it is told', () => /connect to server error|login to (the )?server failed/.test(frpc.said()));
      assert.ok(!frpc.said().includes('login to server success'), frpc.said());
      context.diagnostic(/error: (.*)/.exec(frpc.said())?.[1] ?? '');
    });
  }

  it('frpc refuses a server of another name, or that another authority has signed', async (context) => {
    const own = await leaf();
    const other = await newAuthority();
    const logins = (): number => world.server.said().split('client login info').length;
    const before = logins();
    for (const [stranger, said] of [
      [
        { serverName: 'other.example' },
        /certificate is valid for frps\.example, not other\.example|session shutdown|EOF/,
      ],
      [{ authority: other.certificate }, /certificate signed by unknown authority|session shutdown|EOF/],
    ] as const) {
      const frpc = startStranger(context, world, { leaf: own, ...stranger });
      await world.until('it refuses', () => said.test(frpc.said()));
      assert.ok(!frpc.said().includes('login to server success'), frpc.said());
      context.diagnostic(/error: (.*)/.exec(frpc.said())?.[1] ?? '');
    }
    assert.equal(logins(), before, 'the token was not sent');
  });

  it('a service without a certificate does not get in, and one with it lives on', async (context) => {
    const backend = await startBackend(context, 'tcp', { name: 'plain', address: world.network.backend(1) });
    const expose = { remotePort: ports.other };
    world.put(service({ name: 'plain', type: 'tcp', backends: manual([backend]), expose }));
    await world.until('it is turned away', () =>
      /connect to server error/.test(world.tunnel('plain')?.pod.said() ?? ''),
    );
    assert.ok('failed' in (await holdTcp({ host: world.network.host, port: ports.other })));
    assert.ok('by' in (await asking(world, 'tcp')()));
  });
});

describe('a certificate that is due', { skip }, () => {
  it('is renewed without a restart, and serves at the next login', async (context) => {
    const world = await startMutual(context, -5 * day);
    const name = childName('web', 'tls');
    const [old, before] = [pairOf(world, name), world.tunnel('web') ?? assert.fail()];
    const held = await holdTcp({ host: world.network.host, port: ports.tcp });
    world.cluster.clock.aheadMs = 0;
    // Any event will do: here somebody writes an annotation.
    const made = world.get('frp.io/v1beta1', 'DistributedService', 'web') ?? assert.fail();
    world.cluster.client.update({ ...made, metadata: { ...made.metadata, annotations: { note: 'look' } } });
    await world.until('it is renewed', () => pairOf(world, name).certificate !== old.certificate);
    const frpc = before.pod.containers.get('frpc')?.container.process.pid;
    const file = fileSeenBy(frpc, '/etc/knudge/tls/tls.crt');
    await world.until('frpc can read it', () => readFileSync(file, 'utf8') === pairOf(world, name).certificate);
    assert.ok('socket' in held && (await isAlive(held.socket)));
    await world.server.start(pairOf(world, authorityName('default')).certificate);
    const ask = asking(world, 'tcp');
    await world.until('it is in again', async () => 'by' in (await ask()));
    assert.equal(world.tunnel('web')?.uid, before.uid);
    assert.deepEqual(
      [...before.pod.containers.values()].map(({ restarts }) => restarts),
      [0, 0],
    );
  });
});
