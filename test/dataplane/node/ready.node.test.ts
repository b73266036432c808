import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition } from '../../../packages/controller/domain/conditions.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { place } from '../../../tools/control-plane/node/place.ts';
import type { Arena } from '../../kube/arena.ts';
import { pathOf } from '../../kube/install.ts';
import { kubectl } from '../../kube/kubectl.ts';
import { everyMs, lieOf } from '../../kube/ready-lies.ts';
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

async function change(spec: object): Promise<void> {
  const path = pathOf('frp.io/v1beta1', 'DistributedService', { namespace: 'shop', name: 'web' });
  const { status, body } = await arena.api('PATCH', path, {
    body: { spec },
    contentType: 'application/merge-patch+json',
  });
  assert.equal(status, 200, JSON.stringify(body));
}

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
    await change({ expose: { remotePort: changed } });
    await waitUntilReady();
    assert.equal(await answers(changed), 'web-1', `round ${String(round)}: changed`);
    if (round < rounds - 1) await remove();
  }
  context.diagnostic(`counted: ${String(rounds)} services made and changed, each answered at the first try`);
});

/** One change of a field after the other, each of which leaves the same traffic. */
const changes: readonly (readonly [field: string, spec: object])[] = [
  ['loadBalancing.algorithm', { loadBalancing: { algorithm: 'least-conn' } }],
  ['loadBalancing.healthCheck', { loadBalancing: { healthCheck: { type: 'http', interval: '1s', timeout: '500ms' } } }],
  ['backends.port', { backends: { port: 'http' } }],
  [
    'backends.discovery',
    { backends: { discovery: 'selector', selector: { matchLabels: { [labels.service]: 'web' } } } },
  ],
  ['expose.remotePort', { expose: { remotePort: 7090 } }],
];

test('Ready is never said of a generation whose traffic is not there, whatever field is changed', {
  timeout: 60_000 + changes.length * 30_000,
}, async (context) => {
  const trafficOf = async ({ spec, metadata }: DistributedService): Promise<string | undefined> => {
    const port = spec.expose?.remotePort ?? 0;
    const answer = await answers(port).catch((error: unknown) => String(error));
    return answer === 'web-1' ? undefined : `at ${String(port)}, generation ${String(metadata.generation)}: ${answer}`;
  };
  let looks = 0;
  for (const [field, spec] of changes) {
    const changing = change(spec).then(waitUntilReady);
    const done = changing.then(() => true);
    const isDone = () => Promise.race([done, sleep(everyMs, false)]);
    do {
      assert.equal(await lieOf(arena, 'shop', trafficOf), undefined, `${field}: it is called Ready, and`);
      looks += 1;
    } while (!(await isDone()));
    await changing;
  }
  context.diagnostic(`counted: ${String(changes.length)} fields changed while ${String(looks)} looks found no lie`);
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
  assert.equal(await answers(7090), 'web-1');
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  context.diagnostic(
    `counted: an FRP server that was killed was told after ${seconds(told)}, and back after ${seconds(performance.now() - started)}`,
  );
});
