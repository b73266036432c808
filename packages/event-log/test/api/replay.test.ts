import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Outgoing } from '../../../controller/domain/change.ts';
import { KnudgeError } from '../../../controller/domain/errors.ts';
import type { EventLog } from '../../../controller/domain/event-log.ts';
import type { LogApiParts } from '../../api/route.ts';
import type { Clock } from '../../replay/clock.ts';
import { received } from '../store/event.ts';
import { freshLog } from '../store/fresh.ts';
import { askLog } from './serve-log.ts';

let log: EventLog;
const sent: string[] = [];
const broker: { answer: (event: Outgoing) => Promise<void> } = { answer: async () => {} };
const taken = async (): Promise<void> => {};

before(async () => {
  log = await freshLog();
  for (let n = 1; n <= 30; n += 1) await log.append(received({ id: `e-${n}`, type: n % 2 ? 'odd' : 'even' }));
  await log.append(received({ id: 'tick', type: 'dev.knative.sources.ping' }));
  await log.appendDeadLetter(received({ id: 'dead' }));
});
after(async () => {
  await log.close();
});
beforeEach(() => {
  sent.length = 0;
  broker.answer = taken;
});

/** Time that each event takes a second of; what is to last until the answer does. */
function secondsClock(): Clock {
  const due: { at: number; wake: () => void }[] = [];
  let time = 0;
  const pass = (ms: number): void => {
    time += ms;
    for (const one of due.filter(({ at }) => at <= time)) one.wake();
  };
  return {
    now: () => {
      pass(0);
      return time;
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms < 6000) pass(ms);
        if (ms < 6000 || signal?.aborted) resolve();
        else due.push({ at: time + ms, wake: resolve });
        signal?.addEventListener('abort', () => resolve());
      }),
  };
}

async function post(order: unknown, parts: Partial<LogApiParts> = {}) {
  const body = typeof order === 'string' ? order : JSON.stringify(order);
  const send = async (event: Outgoing): Promise<void> => {
    await broker.answer(event);
    sent.push(event.id);
  };
  const { status, body: text, headers } = await askLog('/replay', { method: 'POST', body }, { log, send, ...parts });
  return { status, headers, said: JSON.parse(text) as Record<string, unknown> };
}

suite('POST /replay', () => {
  test('sends what is meant, oldest first, without the ticks', async () => {
    const { status, said } = await post({ rate: 1000 });
    assert.deepEqual([status, said], [200, { sent: 30, failed: 0 }]);
    assert.deepEqual([sent[0], sent.at(-1)], ['e-1', 'e-30']);
    assert.deepEqual((await post({ type: 'odd', rate: 1000, limit: 2 })).said, {
      sent: 2,
      failed: 0,
      next: { after: 3, before: 32 },
    });
  });

  test('goes on where it is told', async () => {
    const { said } = await post({ after: 27, before: 30, rate: 1000 });
    assert.deepEqual([said, sent], [{ sent: 2, failed: 0 }, ['e-28', 'e-29']]);
  });

  test('ends in time, and says how to go on', async () => {
    const { status, said } = await post({ rate: 1 }, { clock: secondsClock() });
    assert.deepEqual([status, said['failed']], [200, 0]);
    const { after: last, before: bound } = said['next'] as { after: number; before: number };
    assert.ok(last >= 5 && last <= 8, String(last));
    assert.deepEqual([bound, said['sent']], [32, last]);
  });

  test('does not wait for ever for a Broker that does not answer', { timeout: 20_000 }, async () => {
    broker.answer = () => new Promise(() => {});
    const clock: Clock = { now: () => performance.now(), sleep: (ms) => new Promise((go) => setTimeout(go, ms / 100)) };
    const { status, headers, said } = await post({}, { clock });
    assert.deepEqual([status, headers['retry-after']], [503, '5']);
    assert.deepEqual([said['code'], said['sent'], said['next']], ['unavailable', 0, { after: 0, before: 32 }]);
  });

  test('tells what the Broker did not take, and goes on', async () => {
    broker.answer = async ({ id }) => {
      if (id === 'e-3') throw new KnudgeError('too-large', 'the Broker answered 413');
    };
    const failures = [{ seq: 3, id: 'e-3', message: 'the Broker answered 413' }];
    assert.deepEqual((await post({ before: 6, rate: 1000 })).said, { sent: 4, failed: 1, failures });
  });

  test('sends nothing with dryRun, and lists by pages', async () => {
    const { said } = await post({ dryRun: true, limit: 2, type: 'even' });
    const events = said['events'] as { id: string; data?: unknown }[];
    assert.deepEqual([events.map(({ id }) => id), said['next'], sent], [['e-2', 'e-4'], { after: 4, before: 32 }, []]);
    const rest = await post({ dryRun: true, after: 29 });
    assert.deepEqual([(rest.said['events'] as unknown[]).length, 'next' in rest.said], [1, false]);
  });

  test('of dead letters marks them', async () => {
    assert.deepEqual((await post({ deadLetters: 'open' })).said, { sent: 1, failed: 0 });
    assert.deepEqual((await post({ deadLetters: 'open' })).said, { sent: 0, failed: 0 });
    const again = await post({ deadLetters: 'sent-again', dryRun: true });
    assert.equal((again.said['events'] as unknown[]).length, 1);
  });

  test('without an order sends everything, and of nothing nothing', async () => {
    assert.equal((await post('', { clock: secondsClock() })).said['failed'], 0);
    assert.deepEqual((await post({ kind: 'Nothing' })).said, { sent: 0, failed: 0 });
  });

  test('is for whoever may post it', async () => {
    const asked: unknown[] = [];
    const check: LogApiParts['check'] = async (_, wish) => {
      asked.push(wish);
      return 'forbidden';
    };
    assert.equal((await post({}, { check })).status, 401);
    assert.deepEqual(asked, []);
  });

  const rows: readonly [order: unknown, says: RegExp][] = [
    ['{', /must be a JSON object/],
    ['[]', /must be a JSON object/],
    [{ colour: 'red' }, /colour is not known here: use one of since,/],
    [{ since: 'yesterday' }, /since must be a time such as/],
    [{ kind: 7 }, /kind must be a text/],
    [{ kind: null }, /kind must be a text/],
    [{ limit: 0 }, /limit must be a whole number from 1/],
    [{ limit: 1.5 }, /limit must be a whole number/],
    [{ rate: 0 }, /rate must be a number from 0.1 to 1000/],
    [{ rate: '5' }, /rate must be a number/],
    [{ after: -1 }, /after must be a whole number from 0/],
    [{ deadLetters: 'shut' }, /deadLetters must be one of open, sent-again, discarded/],
    [{ dryRun: 'yes' }, /dryRun must be true or false/],
  ];
  for (const [order, says] of rows) {
    test(`${JSON.stringify(order)} is refused`, async () => {
      const { status, said } = await post(order);
      assert.deepEqual([status, sent], [400, []]);
      assert.match(String(said['message']), says);
    });
  }
});
