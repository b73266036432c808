import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeOf } from '../../packages/controller/domain/time.ts';
import { inspect } from '../../packages/issuing/inspect.ts';
import { issuer } from '../../packages/issuing/issuer.ts';
import type { KeyPair } from '../../packages/issuing/types.ts';
import { annotations, authorityName, childName } from '../../resources/distributed-service/names.ts';
import { whyNoPods } from './pod/why-not.ts';
import { asking, startServers } from './world/asking.ts';
import { fieldOf } from './world/cluster.ts';
import { manual, service } from './world/objects.ts';
import { startStranger } from './world/stranger.ts';
import { type Seen, startTraffic } from './world/traffic.ts';
import { type DataPlane, startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;
const life = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-01-01T00:00:00Z' };
/** A rotation of 30 s in the place of 37 days, in seconds. */
const lifetimes = { authority: 3600, leaf: 15, overlap: 15, skew: 2 };
const authority = authorityName('default');

function textOf(world: DataPlane, secret: string, key: string): string {
  return Buffer.from(String(fieldOf(world.get('v1', 'Secret', secret), 'data', key) ?? ''), 'base64').toString();
}

function pairOf(world: DataPlane, secret: string, name = 'tls'): KeyPair {
  return { certificate: textOf(world, secret, `${name}.crt`), key: textOf(world, secret, `${name}.key`) };
}

/** A service with mutual TLS that answers, and what a resync does in short: it wakes the service twice a second. */
async function play(context: TestContext): Promise<DataPlane> {
  const world = await startWorld(context, { lifetimes });
  const servers = await startServers(context, world, { type: 'tcp', names: ['a'] });
  world.put(service({ type: 'tcp', backends: manual(servers), mtls: { enabled: true } }));
  let count = 0;
  const resync = setInterval(() => {
    count += 1;
    annotate(world, 'frp.io/v1beta1 DistributedService web', { 'example.com/tick': String(count) });
  }, 500);
  context.after(() => clearInterval(resync));
  await world.until('there is a bundle', () => textOf(world, authority, 'ca.crt') !== '');
  await world.server.start(textOf(world, authority, 'ca.crt'));
  await world.untilRunning('web');
  const ask = asking(world, 'tcp');
  await world.until('it answers', async () => 'by' in (await ask()));
  return world;
}

function annotate({ cluster, get }: DataPlane, what: string, values: Readonly<Record<string, string>>): void {
  const [apiVersion = '', kind = '', name = ''] = what.split(' ');
  const live = get(apiVersion, kind, name) ?? assert.fail(what);
  const merged = { ...live.metadata.annotations, ...values };
  cluster.client.update({ ...live, metadata: { ...live.metadata, annotations: merged } });
}

interface Pause {
  readonly from: number;
  readonly to: number;
}

/** What its administrator, or the liveness probe of deploy/frps-mutual-tls, does: the server starts anew with the bundle. */
async function restartServer(world: DataPlane): Promise<Pause> {
  const from = performance.now();
  await world.server.start(textOf(world, authority, 'ca.crt'));
  const ask = asking(world, 'tcp');
  await world.until('it is in again', async () => 'by' in (await ask()));
  return { from, to: performance.now() };
}

/** What failed although the server did not just start anew; what was under way when it ended fails with it. */
function failedBeside(seen: readonly Seen[], pauses: readonly Pause[]): readonly string[] {
  return seen.flatMap(({ at, answered }) => {
    const isPaused = pauses.some(({ from, to }) => at > from - 250 && at < to);
    return 'failed' in answered && !isPaused ? [answered.failed] : [];
  });
}

/** Whether the real frps lets in who shows this certificate. */
async function isLetIn(context: TestContext, world: DataPlane, leaf: KeyPair): Promise<boolean> {
  const frpc = startStranger(context, world, { leaf });
  const told = /login to server success|connect to server error|login to (the )?server failed/;
  await world.until('frps has said yes or no', () => told.test(frpc.said()));
  frpc.child.kill('SIGKILL');
  return frpc.said().includes('login to server success');
}

describe('the authority of a server profile is rotated', { skip }, () => {
  it('while traffic runs: nothing fails but what the restarts of frps cost, and in the end the old one is refused', async (context) => {
    const world = await play(context);
    const before = world.tunnel('web') ?? assert.fail();
    const elder = pairOf(world, authority);
    const leafBy = (signer: KeyPair): Promise<KeyPair> =>
      issuer.leaf({ commonName: 'web', dnsNames: ['web.shop'], usage: 'client', authority: signer, ...life });
    const isLeafBy = ({ certificate }: KeyPair): boolean =>
      inspect(pairOf(world, childName('web', 'tls')), certificate) !== undefined;
    const traffic = startTraffic(asking(world, 'tcp'));
    const pauses: Pause[] = [];

    // A wish has whole seconds, and is one where it is later than the authority.
    await sleep(1000);
    annotate(world, `v1 Secret ${authority}`, { [annotations.rotate]: timeOf(Date.now() / 1000) });
    await world.until('its successor is there', () => textOf(world, authority, 'next.crt') !== '');
    const next = pairOf(world, authority, 'next');
    assert.equal(textOf(world, authority, 'ca.crt'), elder.certificate + next.certificate);
    assert.ok(isLeafBy(elder), 'the elder still signs');
    assert.ok(!(await isLetIn(context, world, await leafBy(next))), 'frps reads its authorities once');
    pauses.push(await restartServer(world));
    for (const signer of [elder, next]) assert.ok(await isLetIn(context, world, await leafBy(signer)));

    await world.until('the successor signs', () => isLeafBy(next), 60);
    for (const signer of [elder, next]) assert.ok(await isLetIn(context, world, await leafBy(signer)));

    await world.until('it has taken its place', () => textOf(world, authority, 'next.crt') === '', 60);
    assert.deepEqual(pairOf(world, authority), next);
    assert.equal(textOf(world, authority, 'ca.crt'), next.certificate);
    pauses.push(await restartServer(world));
    assert.ok(await isLetIn(context, world, await leafBy(next)));
    assert.ok(!(await isLetIn(context, world, await leafBy(elder))), 'a leaf of the old authority is refused');

    await traffic.stop();
    assert.deepEqual(failedBeside(traffic.seen, pauses), []);
    const { uid, pod } = world.tunnel('web') ?? assert.fail();
    assert.equal(uid, before.uid);
    assert.deepEqual(
      [...pod.containers.values()].map(({ restarts }) => restarts),
      [0, 0],
    );
    const failed = traffic.seen.filter(({ answered }) => 'failed' in answered).length;
    const gaps = pauses.map(({ from, to }) => `${String(Math.round(to - from))} ms`).join(' and ');
    context.diagnostic(
      `${String(traffic.seen.length)} asked; ${String(failed)} failed, all while frps started: ${gaps}`,
    );
  });
});
