import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { childName } from '../../resources/distributed-service/names.ts';
import { liveVersion } from './pod/envoy-admin.ts';
import { whyNoPods } from './pod/why-not.ts';
import { asking, whoAnswers } from './world/asking.ts';
import { fieldOf } from './world/cluster.ts';
import { ports } from './world/frp-server.ts';
import { hostOf, service } from './world/objects.ts';
import { backendPods } from './world/pods.ts';
import { startTrafficThread } from './world/start-traffic-thread.ts';
import { type DataPlane, startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;
const seconds = Number(process.env['KNUDGE_CHURN_SECONDS'] ?? '60');
const perSecond = 100;
const backends = 40;
/** They stay, so that there is always somebody. */
const steady = 4;
/** More than this, in KiB, between the first tenth and the end of it is a leak. */
const mostGrowth = 8 * 1024;

interface Use {
  readonly memory: number;
  readonly files: number;
}

/** What a container's process has: resident KiB of its own, and open files. */
function useOf(pid: number): Use {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const [, memory = '0'] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? [];
  return { memory: Number(memory), files: readdirSync(`/proc/${String(pid)}/fd`).length };
}

describe('backends that come and go all the time', { skip }, () => {
  it(`${String(perSecond)} changes a second for ${String(seconds)} s: nothing fails, nothing grows, the last state wins`, async (context) => {
    const world = await startWorld(context);
    const names = Array.from({ length: backends }, (_, index) => `p${String(index)}`);
    const servers = names.map((name, index) => ({ name, address: world.network.backend(index), port: 8080 }));
    const to = { host: world.network.host, port: ports.http, name: hostOf('web') };
    const traffic = await startTrafficThread(context, { backends: servers, to });
    const pods = backendPods(world);
    for (const server of servers) pods.add(server);
    world.put(service({ type: 'http', backends: { discovery: 'auto', port: 8080 } }));
    await world.untilRunning('web');
    const ask = asking(world, 'http');
    await world.until('it answers', async () => 'by' in (await ask()));
    const { uid, pod } = world.tunnel('web') ?? assert.fail();
    const pids = [...pod.containers.values()].map(({ container }) => container.process.pid ?? 0);
    traffic.begin();

    const ready = names.map(() => true);
    let changes = 0;
    const change = (): void => {
      const index = steady + ((changes * 7) % (backends - steady));
      const server = servers[index] ?? assert.fail();
      ready[index] = !ready[index];
      pods.ready(server, ready[index]);
      changes += 1;
    };
    const began = performance.now();
    const run = async (until: number): Promise<void> => {
      for (; performance.now() - began < until; await sleep(10)) {
        while (changes < ((performance.now() - began) * perSecond) / 1000) change();
      }
    };
    await run(seconds * 100);
    const early = pids.map(useOf);
    await run(seconds * 1000);
    await untilSettled(world);
    const late = pids.map(useOf);

    const { requests, failed } = await traffic.end();
    context.diagnostic(`${String(changes)} changes, ${String(requests)} requests, ${JSON.stringify({ early, late })}`);
    assert.deepEqual(failed, []);
    assert.ok(changes >= seconds * perSecond * 0.98, String(changes));
    const wanted = names.filter((_, index) => ready[index]);
    const answers = new Set(await whoAnswers(ask, 2 * wanted.length));
    assert.deepEqual([...answers].sort(), wanted.toSorted());
    assert.equal(world.tunnel('web')?.uid, uid);
    assert.deepEqual(
      [...pod.containers.values()].map(({ restarts }) => restarts),
      [0, 0],
    );
    for (const [index, { memory, files }] of late.entries()) {
      const before = early[index] ?? assert.fail();
      assert.ok(memory - before.memory < mostGrowth, `grew by ${String(memory - before.memory)} KiB`);
      // Each of Envoy's two threads keeps connections to each backend for later, two where requests have met: what leaks grows with the changes.
      assert.ok(files <= before.files + 4 * backends, `${String(files - before.files)} files more are open`);
    }
  });
});

/** Until Envoy uses the list that the API has, and no other comes. */
async function untilSettled(world: DataPlane): Promise<void> {
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: childName('web', 'endpoints') };
  const wanted = (): string => {
    const text = fieldOf(world.cluster.client.get(ref), 'data', 'eds.json');
    return (JSON.parse(String(text)) as { version_info: string }).version_info;
  };
  for (let before = ''; before !== wanted(); await sleep(1000)) before = wanted();
  const { pod } = world.tunnel('web') ?? assert.fail();
  await world.until('Envoy has the last list', async () => (await liveVersion(pod)) === wanted());
}
