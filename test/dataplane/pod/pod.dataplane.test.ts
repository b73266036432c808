import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { startBackend } from '../world/backends.ts';
import { manual, service } from '../world/objects.ts';
import { startWorld } from '../world/world.ts';
import { fileSeenBy } from './container.ts';
import { whyNoPods } from './why-not.ts';

const skip = whyNoPods() ?? false;

/** `Uid: 65532 65532 65532 65532` and the like, of a process. */
function statusOf(pid: number): ReadonlyMap<string, string> {
  const lines = readFileSync(`/proc/${String(pid)}/status`, 'utf8').split('\n');
  return new Map(
    lines.map((line) => [line.split(':')[0] ?? '', (line.split(':')[1] ?? '').trim().replaceAll('\t', ' ')]),
  );
}

/** Options by mount point, as the process sees them. */
function mountsOf(pid: number): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync(`/proc/${String(pid)}/mountinfo`, 'utf8')
    .trim()
    .split('\n');
  return new Map(lines.map((line) => [line.split(' ')[4] ?? '', (line.split(' ')[5] ?? '').split(',')]));
}

function assertRestricted(pid: number): void {
  const status = statusOf(pid);
  for (const line of ['Uid', 'Gid']) assert.equal(status.get(line), '65532 65532 65532 65532');
  for (const line of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) assert.match(status.get(line) ?? '', /^0+$/);
  assert.equal(status.get('NoNewPrivs'), '1');
  assert.ok(mountsOf(pid).get('/')?.includes('ro'));
}

function assertVolumes(pid: number, names: readonly string[]): void {
  const volumes = [...mountsOf(pid)].filter(([point]) => point.startsWith('/etc/knudge/'));
  assert.deepEqual(volumes.map(([point]) => point.split('/')[3]).sort(), names);
  assert.ok(volumes.every(([, options]) => options.includes('ro')));
}

describe('the Pod of a tunnel, run as the API has it', { skip }, () => {
  it('runs as nobody, cannot write, gains nothing, and sees its own files alone', async (context) => {
    const world = await startWorld(context);
    const backend = await startBackend(context, 'tcp', { name: 'a', address: world.network.backend(0) });
    const mtls = { enabled: true, autoGenerate: true };
    world.put(service({ type: 'tcp', backends: manual([backend]), mtls }));
    await world.untilRunning('web');
    const { pod } = world.tunnel('web') ?? assert.fail();
    assert.deepEqual([...pod.containers.keys()], ['frpc', 'envoy']);
    for (const [name, { container, restarts }] of pod.containers) {
      const pid = container.process.pid ?? 0;
      assert.equal(restarts, 0, pod.said());
      assert.equal(statusOf(pid).get('Name'), name);
      assertRestricted(pid);
      assertVolumes(pid, name === 'frpc' ? ['config', 'identity', 'tls'] : ['config', 'endpoints']);
    }
    const frpc = pod.containers.get('frpc')?.container.process.pid;
    const key = statSync(fileSeenBy(frpc, '/etc/knudge/tls/tls.key'));
    assert.deepEqual([key.uid, key.gid, key.mode & 0o777], [0, 65532, 0o440]);
  });
});
