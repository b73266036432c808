import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Condition } from '../../../src/domain/conditions.ts';
import { place } from '../../../tools/control-plane/node/place.ts';
import type { Arena } from '../../kube/arena.ts';
import { pathOf } from '../../kube/install.ts';
import { kubectl } from '../../kube/kubectl.ts';
import { until } from '../../kube/until.ts';
import type { FrpServer } from '../world/frp-server.ts';
import { service } from '../world/objects.ts';
import { backend } from './objects.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

/** How often a service is made and changed: `ROUNDS=50 npm run test:node -- test/dataplane/node/ready`. */
const rounds = Number(process.env['ROUNDS'] ?? 4);
const firstPort = 7100;

let workplace: Workplace;
let arena: Arena;
let server: FrpServer;

before(async () => {
  workplace = await openWorkplace();
  ({ arena, server } = workplace);
});

after(async () => {
  // The next file begins with the same names: nothing may be on its way out any more.
  await remove();
  await arena.remove(backend('web-1'));
  await until('its backend is gone', async () => (await arena.get('v1', 'Pod', at('web-1'))) === undefined);
  await workplace.close();
});

const at = (name: string) => ({ namespace: 'shop', name });

async function remove(): Promise<void> {
  await arena.remove(web(firstPort));
  await until('the service is gone', async () => (await arena.service('shop', 'web')) === undefined);
}

const web = (remotePort: number) =>
  service({ type: 'tcp', backends: { discovery: 'auto', port: 8080, replicas: 1 }, expose: { remotePort } });

/** As somebody waits at a shell who has just written. */
async function waitUntilReady(): Promise<void> {
  await kubectl('--namespace=shop', 'wait', 'dsvc/web', '--for=condition=Ready', '--timeout=60s');
}

/** One request, at the first try. */
async function answers(port: number): Promise<string> {
  const answer = await fetch(`http://${place.host}:${String(port)}/`, { headers: { connection: 'close' } });
  return answer.text();
}

async function conditionOf(type: string): Promise<Condition | undefined> {
  const found = await arena.service('shop', 'web');
  return found?.status?.conditions?.find((one) => one.type === type);
}

async function readyIs(status: 'True' | 'False', seconds: number): Promise<void> {
  const found = async (): Promise<unknown> => {
    const ready = await conditionOf('Ready');
    return ready?.status === status || ready;
  };
  await until(`Ready is ${status}`, found, seconds);
}

test('what kubectl has waited for answers at the first try: after it was made, and after its port was changed', {
  timeout: 60_000 + rounds * 30_000,
}, async (context) => {
  for (let round = 0; round < rounds; round += 1) {
    const [made, changed] = [firstPort + 2 * round, firstPort + 2 * round + 1];
    await arena.put(web(made));
    await waitUntilReady();
    assert.equal(await answers(made), 'web-1', `round ${String(round)}: made`);
    const path = pathOf('frp.io/v1beta1', 'DistributedService', { namespace: 'shop', name: 'web' });
    const body = { spec: { expose: { remotePort: changed } } };
    const { status } = await arena.api('PATCH', path, { body, contentType: 'application/merge-patch+json' });
    assert.equal(status, 200);
    await waitUntilReady();
    assert.equal(await answers(changed), 'web-1', `round ${String(round)}: changed`);
    if (round < rounds - 1) await remove();
  }
  context.diagnostic(`counted: ${String(rounds)} services made and changed, each answered at the first try`);
});

test('an FRP server that is killed is told within ten seconds, and its return within twenty-five', async (context) => {
  await server.stop();
  const killed = performance.now();
  await readyIs('False', 10);
  const told = performance.now() - killed;
  assert.equal((await conditionOf('Ready'))?.reason, 'ServerUnreachable');
  await server.start();
  const started = performance.now();
  await readyIs('True', 25);
  assert.equal(await answers(firstPort + 2 * rounds - 1), 'web-1');
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  context.diagnostic(
    `counted: an FRP server that was killed was told after ${seconds(told)}, and back after ${seconds(performance.now() - started)}`,
  );
});
