import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isReady, scriptPod, startCluster, until } from './cluster.ts';

const skip = process.platform !== 'linux' && 'only Linux has all of 127.0.0.0/8';
const holder = fileURLToPath(new URL('./holder.ts', import.meta.url));

/** A process that runs a Pod in the way of the mesh; the Pod's own process says its id by its log. */
async function held(context: TestContext) {
  const cluster = await startCluster(context, { runsPods: false });
  cluster.client.create(scriptPod('held', 'setInterval(() => {}, 1e6)'));
  const dir = join(cluster.folder, 'mesh');
  const machine = { programs: { node: process.execPath }, path: process.env['PATH'] ?? '' };
  const orders = { server: cluster.url, token: cluster.token, version: '1', machine, places: {}, dir };
  const child = spawn(process.execPath, [holder, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] });
  context.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await until('the Pod is ready', () => isReady(cluster.pod('held')));
  const running = (): boolean => processesWith(dir).length > 0;
  assert.equal(running(), true);
  return { child, dir, running };
}

/** Processes whose working directory is in a folder. */
function processesWith(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

async function ends(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

test('Pods end with the mesh, and their folders go', { skip }, async (context) => {
  const { child, dir, running } = await held(context);
  await ends(child, 'SIGTERM');
  assert.equal(running(), false);
  assert.equal(existsSync(join(dir, 'pods')), false);
});

test('a mesh that is killed leaves no Pod behind', { skip }, async (context) => {
  const { child, running } = await held(context);
  await ends(child, 'SIGKILL');
  await until('it is gone', () => !running());
});
