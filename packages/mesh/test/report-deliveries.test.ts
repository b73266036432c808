import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryHeader } from '../../controller/domain/delivery.ts';
import { readDeliveries } from '../../controller/domain/read-deliveries.ts';
import type { CloudEvent } from '../cloud-event.ts';
import type { Hop } from '../hop.ts';
import { keepDeliveries } from '../report-deliveries.ts';

const now = Date.parse('2026-03-01T12:00:01.000Z');
const log = { kind: 'function', namespace: 'knudge', name: 'event-log', path: '/event-recorded' } as const;
const event: CloudEvent = {
  attributes: { specversion: '1.0', id: 'e-1', source: '/s', type: 't' },
  data: Buffer.from(''),
};
const said = {
  event: { id: 'e-1', source: '/s' },
  function: 'message-changed',
  at: '2026-03-01T11:00:00Z',
  ms: 1,
  status: 204,
  outcome: 'done',
  reads: 2,
  writes: 0,
  parents: ['Message shop/hello'],
  written: [],
};

function delivered(parts: Partial<Extract<Hop, { kind: 'delivered' }>> = {}): Hop {
  const headers = { [deliveryHeader]: JSON.stringify(said), 'knudge-cold-ms': '240' };
  return {
    kind: 'delivered',
    trigger: 'knudge/message-changed',
    event,
    attempt: 2,
    status: 204,
    ms: 250,
    headers,
    ...parts,
  };
}

/** What the log is brought of some hops. */
async function broughtOf(hops: readonly Hop[]) {
  const deliveries = keepDeliveries(() => now);
  const brought: CloudEvent[] = [];
  for (const hop of hops) deliveries.note(hop);
  deliveries.connect(async (to, one) => {
    assert.deepEqual(to, log);
    brought.push(one);
    return { kind: 'failed', why: 'nobody listens to this' };
  }, log);
  await deliveries.close();
  deliveries.note(delivered());
  await deliveries.close();
  return brought.map(({ data }) => readDeliveries(JSON.parse(data.toString('utf8'))));
}

test('try, cold start, beginning and duration are those of the mesh, the rest is what the function says', async () => {
  const mesh = { attempt: 2, coldMs: 240, at: '2026-03-01T12:00:00.750Z', ms: 250 };
  assert.deepEqual(await broughtOf([delivered()]), [[{ ...said, ...mesh }]]);
});

test('a try without an answer is a delivery of the function whose Trigger it was', async () => {
  const [[one] = []] = await broughtOf([delivered({ status: 0, headers: {}, why: 'no' })]);
  assert.deepEqual(
    [one?.function, one?.status, one?.outcome, one?.event.id],
    ['message-changed', 0, 'no-answer', 'e-1'],
  );
});

test('nothing is said of the log itself, of other hops, and of functions that say nothing or nonsense', async () => {
  const hops: Hop[] = [
    delivered({ trigger: 'knudge/event-recorded', status: 503, headers: {} }),
    delivered({ headers: {} }),
    delivered({ headers: { [deliveryHeader]: '{' } }),
    { kind: 'woke', function: 'message-changed', coldMs: 1, pids: [7] },
  ];
  assert.deepEqual(await broughtOf(hops), []);
});

test('a hundred at most are brought at once', async () => {
  const brought = await broughtOf(Array.from({ length: 250 }, () => delivered()));
  assert.deepEqual(
    brought.map(({ length }) => length),
    [100, 100, 50],
  );
});
