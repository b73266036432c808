import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Answer } from '../../cloud-event.ts';
import { handOver, type Patience } from '../../functions/hand-over.ts';
import type { Release } from '../../functions/members.ts';
import { type Pool, QueueFull, type Seat } from '../../functions/pool.ts';

const event = { attributes: { specversion: '1.0', id: '1', type: 't', source: '/s' }, data: Buffer.from('{}') };
const patient: Patience = { timeoutMs: undefined, frontMs: 10_000 };
const deadline = { kind: 'failed', why: 'context deadline exceeded' };

/** How it went: the answer in a few words, and what the seat was given back with. */
async function hand(
  context: TestContext,
  { instance, patience = patient, coldMs }: { instance: RequestListener; patience?: Patience; coldMs?: number },
): Promise<{ answer: Answer; endings: readonly Parameters<Release>[0][] }> {
  const server = createServer(instance).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true });
  context.after(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const endings: Parameters<Release>[0][] = [];
  const { port } = server.address() as AddressInfo;
  const seat: Seat = { port, agent, release: (how) => endings.push(how), ...(coldMs !== undefined && { coldMs }) };
  return {
    answer: await handOver(
      poolOf(async () => seat),
      event,
      patience,
    ),
    endings,
  };
}

function poolOf(seat: Pool['seat']): Pool {
  return { seat, renew: () => undefined, close: async () => undefined };
}

test('an instance gets the event as from the front, and its answer says how long the start took', async (context) => {
  let seen: unknown;
  const instance: RequestListener = ({ headers }, response) => {
    seen = [headers['ce-id'], headers['k-proxy-request'], headers['x-forwarded-for']];
    response.writeHead(204, { 'knudge-outcome': 'done' }).end();
  };
  const { answer, endings } = await hand(context, { instance, coldMs: 12.3 });
  assert.deepEqual(seen, ['1', 'activator', '127.0.0.1']);
  assert.ok(answer.kind === 'answered');
  const { 'knudge-outcome': outcome, 'knudge-cold-ms': cold } = answer.headers;
  assert.deepEqual(
    { status: answer.status, outcome, cold, endings },
    { status: 204, outcome: 'done', cold: '12', endings: ['answered'] },
  );
});

test('an instance that was awake says nothing of a start', async (context) => {
  const { answer } = await hand(context, { instance: (_, response) => response.end() });
  assert.ok(answer.kind === 'answered' && answer.headers['knudge-cold-ms'] === undefined);
});

test('an instance that breaks off is a 502, and its seat is told', async (context) => {
  const { answer, endings } = await hand(context, { instance: ({ socket }) => socket.destroy() });
  assert.deepEqual([inWords(answer), endings], ['502 EOF', ['broken']]);
});

test('an instance that nobody can reach is a 502 with its reason', async () => {
  const seat: Seat = { port: 1, agent: new Agent(), release: () => undefined };
  const answer = await handOver(
    poolOf(async () => seat),
    event,
    patient,
  );
  assert.equal(inWords(answer), '502 dial tcp 127.0.0.1:1: connect: connection refused');
});

const impatient = [
  { name: 'of the sender', patience: { timeoutMs: 30, frontMs: 40 }, says: deadline },
  { name: 'of the front', patience: { timeoutMs: 40, frontMs: 30 }, says: '504 activator request timeout' },
] as const;

for (const { name, patience, says } of impatient) {
  test(`the time ${name} ends while the instance works`, async (context) => {
    const { answer, endings } = await hand(context, { instance: () => undefined, patience });
    assert.deepEqual([inWords(answer), endings], [says, ['left']]);
  });
  test(`the time ${name} ends while it waits for a place`, async () => {
    const waiting = poolOf(
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    assert.deepEqual(inWords(await handOver(waiting, event, patience)), says);
  });
}

test('a full queue is a 503, a mesh that leaves a 502', async () => {
  const full = await handOver(
    poolOf(() => Promise.reject(new QueueFull('full'))),
    event,
    patient,
  );
  const leaving = await handOver(
    poolOf(() => Promise.reject(new Error('closed'))),
    event,
    patient,
  );
  assert.deepEqual([full, leaving].map(inWords), ['503 pending request queue full', '502 the mesh is shutting down']);
});

function inWords(answer: Answer): unknown {
  return answer.kind === 'answered' ? `${answer.status} ${answer.body.toString()}` : answer;
}
