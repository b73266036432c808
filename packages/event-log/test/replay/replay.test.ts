import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Outgoing } from '../../../controller/domain/change.ts';
import { KnudgeError } from '../../../controller/domain/errors.ts';
import { realClock } from '../../replay/clock.ts';
import { outgoingOf } from '../../replay/outgoing.ts';
import { usualWaits } from '../../replay/persist.ts';
import { type ReplayParts, replay } from '../../replay/replay.ts';
import { each, recorded, stillClock } from './parts.ts';

const away = new KnudgeError('unavailable', 'the Broker cannot be reached');
const five = [1, 2, 3, 4, 5].map((seq) => recorded(seq));

async function run(how: (event: Outgoing, tries: number) => void, more: Partial<ReplayParts> = {}) {
  const { clock, sleeps } = stillClock();
  const [sent, refused]: [string[], number[]] = [[], []];
  let tries = 0;
  const send = async (event: Outgoing): Promise<void> => {
    tries += 1;
    how(event, tries);
    sent.push(event.id);
  };
  const onRefused: ReplayParts['onRefused'] = ({ seq }) => refused.push(seq);
  const result = await replay({ events: each(five), send, clock, onRefused, ...more });
  return { ...result, ids: sent, refusedAt: refused, sleeps };
}

suite('a replay', () => {
  test('sends all, in their order, each after the answer to the one before', async () => {
    let under = 0;
    const send = async (): Promise<void> => {
      under += 1;
      assert.equal(under, 1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      under -= 1;
    };
    const ids: string[] = [];
    const result = await replay({ events: each(five), send, perSecond: 10_000, onSent: ({ id }) => ids.push(id) });
    assert.deepEqual(result, { sent: 5, refused: 0, end: 'all', last: 5 });
    assert.deepEqual(ids, ['e-1', 'e-2', 'e-3', 'e-4', 'e-5']);
  });

  test('keeps to its rate, and makes up for nothing', async () => {
    const { sleeps } = await run(() => {}, { perSecond: 4 });
    assert.deepEqual(sleeps, [250, 250, 250, 250]);
  });

  test('of nothing is over at once', async () => {
    const { end, sent, last } = await run(() => {}, { events: each([]) });
    assert.deepEqual({ end, sent, last }, { end: 'all', sent: 0, last: undefined });
  });

  test('ends at its limit, and is over where there were no more', async () => {
    const three = await run(() => {}, { limit: 3 });
    assert.deepEqual([three.end, three.last, three.sent], ['limit', 3, 3]);
    const whole = await run(() => {}, { limit: 5 });
    assert.deepEqual([whole.end, whole.sent], ['all', 5]);
  });

  test('passes over what the Broker does not take', async () => {
    const { end, sent, refusedAt, ids } = await run(({ id }) => {
      if (id === 'e-2') throw new KnudgeError('too-large', 'the Broker answered 413');
      if (id === 'e-4') throw new KnudgeError('invalid-event', 'the Broker answered 400');
    });
    assert.deepEqual([end, sent, refusedAt, ids], ['all', 3, [2, 4], ['e-1', 'e-3', 'e-5']]);
  });

  test('ends where the first twenty are all refused: that is no Broker', async () => {
    const events = Array.from({ length: 50 }, (_, n) => recorded(n + 1));
    const refuse = (): never => {
      throw new KnudgeError('invalid-event', 'the path names no Broker');
    };
    const { end, error, refused } = await run(refuse, { events: each(events) });
    assert.deepEqual([end, error?.code, refused], ['failed', 'unexpected-answer', 20]);
  });

  test('waits for a Broker that is away in the middle, and sends that event again', async () => {
    const { end, ids, sleeps } = await run((_, tries) => {
      if (tries === 3 || tries === 4) throw away;
    });
    assert.deepEqual([end, ids.join()], ['all', 'e-1,e-2,e-3,e-4,e-5']);
    assert.deepEqual(
      sleeps.filter((ms) => ms >= 500),
      [500, 1000],
    );
  });

  test('gives up after bounded tries, and says where it was', async () => {
    const { end, error, last, sleeps } = await run((_, tries) => {
      if (tries > 2) throw away;
    });
    assert.deepEqual([end, error, last], ['failed', away, 2]);
    assert.deepEqual(
      sleeps.filter((ms) => ms >= 500),
      usualWaits,
    );
  });

  test('honours Retry-After, and gives up where it is longer than anybody waits', async () => {
    const busy = (retryAfterSeconds: number) => new KnudgeError('unavailable', 'busy', { retryAfterSeconds });
    const short = await run((_, tries) => {
      if (tries === 1) throw busy(7);
    });
    assert.deepEqual([short.end, short.sleeps[0]], ['all', 7000]);
    const long = await run(() => {
      throw busy(3600);
    });
    assert.deepEqual([long.end, long.sleeps], ['failed', []]);
  });

  test('does not try again what is a fault of ours', async () => {
    const { end, error, sleeps } = await run(() => {
      throw new TypeError('broken');
    });
    assert.deepEqual([end, error?.code, sleeps], ['failed', 'internal', []]);
  });

  test('that is stopped ends after the event that is on its way', async () => {
    const stop = new AbortController();
    const { end, last, ids } = await run(({ id }) => id === 'e-2' && stop.abort(), { signal: stop.signal });
    assert.deepEqual([end, last, ids], ['stopped', 2, ['e-1', 'e-2']]);
  });

  test('that is stopped while it waits for the Broker does not try once more', { timeout: 4000 }, async () => {
    const stop = new AbortController();
    const onWait = () => setTimeout(() => stop.abort(), 5);
    const send = () => Promise.reject(away);
    const parts = { events: each(five), send, clock: realClock, signal: stop.signal, onWait };
    const { end, sent, error } = await replay(parts);
    assert.deepEqual([end, sent, error], ['stopped', 0, away]);
  });

  test('whose log goes away says so', async () => {
    async function* broken() {
      yield recorded(1);
      throw new KnudgeError('unavailable', 'the event log does not answer');
    }
    const { end, error, last } = await run(() => {}, { events: broken() });
    assert.deepEqual([end, error?.message, last], ['failed', 'the event log does not answer', 1]);
  });
});

suite('an event that is sent again', () => {
  test('has what it had, and the mark', () => {
    const event = recorded(1, { data: [1, null] });
    const about = { apiversion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
    assert.deepEqual(outgoingOf(event), {
      id: 'e-1',
      source: '/s',
      type: 'a.b.update',
      time: '2026-03-01T12:00:01.000Z',
      extensions: { ...about, knudgereplay: 'true' },
      data: [1, null],
    });
  });

  test('has nothing that Knative adds, and no extension that is called as something else is', () => {
    const odd = { id: 'x', specversion: '0.3', datacontenttype: 'text/xml', kind: 'Pod', knudgereplay: 'no' };
    const ofKnative = { knativearrivaltime: 'x', knativebrokerttl: '1', knativeerrordest: 'x', knativehistory: 'x' };
    const { extensions } = outgoingOf(recorded(1, { extensions: { ...odd, ...ofKnative, color: 'red' } }));
    const about = { kind: 'Message', namespace: 'shop', name: 'hello' };
    assert.deepEqual(extensions, { ...about, color: 'red', knativehistory: 'x', knudgereplay: 'true' });
  });

  for (const data of [null, 'text', 7, false, []]) {
    test(`keeps data that is ${JSON.stringify(data)}`, () =>
      assert.deepEqual(outgoingOf(recorded(1, { data })).data, data));
  }

  test('has no data where it had none', () => assert.equal('data' in outgoingOf(recorded(1)), false));
});
