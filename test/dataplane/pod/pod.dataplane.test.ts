import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { startBackend } from '../world/backends.ts';
import { manual, service } from '../world/objects.ts';
import { startWorld } from '../world/world.ts';
import { fileSeenBy } from './container.ts';
import { assertRestricted, assertVolumes, statusOf } from './restricted.ts';
import { whyNoPods } from './why-not.ts';

const skip = whyNoPods() ?? false;

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
