import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Container, startContainer } from '../../pods/container.ts';
import type { Pod } from '../../pods/pod-spec.ts';
import { runPod } from '../../pods/running-pod.ts';
import { scriptPod } from './cluster.ts';

function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-container-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a container whose program is missing is never ready', async (context) => {
  const cwd = newFolder(context);
  const seen: boolean[] = [];
  let container: Container | undefined;
  container = startContainer({
    spec: { name: 'main', image: 'none' },
    command: [join(cwd, 'none')],
    log: join(cwd, 'main.log'),
    cwd,
    restartPolicy: 'Never',
    backOffMs: 50,
    address: '127.0.0.1',
    ports: [],
    env: {},
    localise: (text) => text,
    onChange: () => seen.push(container?.status().ready ?? false),
  });
  await sleep(50);
  const { ready, started, state } = container.status();
  assert.deepEqual([ready, started, container.ended(), seen.includes(true)], [false, false, 128, false]);
  assert.partialDeepStrictEqual(state, { terminated: { reason: 'StartError', exitCode: 128 } });
});

test('no container of a Pod starts if the node cannot run one of them', async (context) => {
  const folder = newFolder(context);
  const main = { name: 'main', image: 'node:24', args: ['-e', 'setInterval(() => {}, 1e6)'] };
  const other = { name: 'other', image: 'node:24', envFrom: [{}] };
  const pod = scriptPod('two', '', { spec: { containers: [main, other] } }) as Pod;
  const running = runPod(pod, {
    address: '10.0.0.1',
    folder,
    backOffMs: 50,
    onChange: () => {},
    machine: { programs: { node: process.execPath }, path: process.env['PATH'] ?? '' },
    find: () => undefined,
    lookUp: () => undefined,
  });
  context.after(() => running.stop(0));
  running.refresh();
  await sleep(50);
  const message = 'container other has envFrom, which does not work on this node';
  const waiting = { state: { waiting: { reason: 'ContainerCreating', message } }, ready: false };
  assert.partialDeepStrictEqual(running.status(pod), { phase: 'Pending', containerStatuses: [waiting, waiting] });
  assert.equal(existsSync(join(folder, 'main.log')), false);
});
