import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { withoutClock } from '../../../packages/event-log/test/replay/edits.ts';
import { until } from '../../kube/until.ts';
import { killProcess } from './mesh-process.ts';
import { backendsIn } from './objects.ts';
import { withEnv, withSpec } from './project-copy.ts';
import { openStage } from './stage.ts';
import { openSwitch } from './switch.ts';

/**
 * A mesh in which `message-changed` can lose the API server, so that it answers 503, and `distributed-service`, which serves
 * eight functions, cannot start any more: until they are mended.
 */
export async function openMeshToBreak(
  t: TestContext,
  { args, namespace }: { readonly args: readonly string[]; readonly namespace: string },
) {
  const api = await openSwitch(t);
  const dir = mkdtempSync(join(tmpdir(), 'knudge-down-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  // Loaded by every process of that Service before anything else.
  const start = join(dir, 'start.cjs');
  writeFileSync(start, '');
  const edit = (object: KubeObject): KubeObject => {
    const { name } = object.metadata;
    if (name === 'message-changed') return withEnv(object, { API_SERVER_URL: api.url });
    if (name === 'distributed-service') return withEnv(object, { NODE_OPTIONS: `--require=${start}` });
    return subscriberOf(object) === 'distributed-service' ? withDelivery(object) : withoutClock(object);
  };
  const stage = await openStage({ args, edit });
  t.after(stage.close);
  stage.start();
  await stage.up();
  const { apiServer } = await stage.mesh().ready;
  api.lead(apiServer);
  const lease = { namespace: 'knudge', name: 'knudge-resync' };
  await until('the first resync is over', async () => (await stage.reader().renewed(lease)) !== undefined, 90);
  for (const object of [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...backendsIn(namespace),
  ])
    await stage.person.create(object);
  const down = (): void => {
    api.off();
    writeFileSync(start, `throw new Error('it cannot start')`);
    for (const pid of stage.mesh().pidsOf('distributed-service')) killProcess(pid);
  };
  const mend = (): void => {
    api.on();
    writeFileSync(start, '');
  };
  return { stage, down, mend };
}

function subscriberOf(object: KubeObject): string | undefined {
  const { subscriber } = (Reflect.get(object, 'spec') ?? {}) as { subscriber?: { ref?: { name?: string } } };
  return object.kind === 'Trigger' ? subscriber?.ref?.name : undefined;
}

/** The Broker waits for a function that does not start: in the manifest 14 s, four times. */
function withDelivery(object: KubeObject): KubeObject {
  const { delivery } = (Reflect.get(object, 'spec') ?? {}) as { delivery?: object };
  return withSpec(object, 'Trigger', { delivery: { ...delivery, retry: 1, timeout: 'PT3S' } });
}
