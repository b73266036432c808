import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CloudEvent } from '../../cloud-event.ts';
import type { Hop } from '../../hop.ts';
import type { PingSpec } from '../../mesh-spec.ts';
import { startPingSource } from '../../sources/ping-source.ts';

const spec: PingSpec = {
  namespace: 'home',
  name: 'tick',
  schedule: '*/5 * * * *',
  data: Buffer.alloc(0),
  sink: { kind: 'uri', uri: 'http://sink/' },
  overrides: { site: 'a' },
};

/** A PingSource on a clock that the test turns. */
function running(
  t: TestContext,
  { from, random = 0, ...change }: Partial<PingSpec> & { from: string; random?: number },
) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse(from) });
  const [events, hops, slept]: [CloudEvent[], Hop[], number[]] = [[], [], []];
  const source = startPingSource(
    { ...spec, ...change },
    {
      send: async (event) => {
        events.push(event);
        return { status: 202 };
      },
      report: (hop) => hops.push(hop),
      random: () => random,
      sleep: (ms, signal) => {
        slept.push(ms);
        return sleepOnMockedClock(ms, signal);
      },
    },
  );
  t.after(() => source.close());
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      t.mock.timers.tick(1000);
      await turn();
    }
  };
  return { events, hops, slept, source, pass };
}

/** Node mocks the global function, not the one of node:timers/promises. */
function sleepOnMockedClock(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

describe('a PingSource', () => {
  it('ticks by its schedule with new ids, and tells that it sent', async (t) => {
    const { events, hops, pass } = running(t, { from: '2026-11-21T10:04:58Z' });
    await pass(1);
    assert.equal(events.length, 0);
    await pass(3);
    const { type, source, site } = events[0]?.attributes ?? {};
    assert.deepEqual(
      [type, source, site],
      ['dev.knative.sources.ping', '/apis/v1/namespaces/home/pingsources/tick', 'a'],
    );
    await pass(300);
    assert.equal(events.length, 2, 'at 10:05 and 10:10');
    assert.notEqual(events[0]?.attributes['id'], events[1]?.attributes['id']);
    assert.deepEqual(
      hops.map((hop) => hop.kind === 'sent' && [hop.source, hop.attempts, hop.status]),
      [
        ['tick', 1, 202],
        ['tick', 1, 202],
      ],
    );
  });

  it('knows seconds and waits up to half a second at random', async (t) => {
    const { events, slept, pass } = running(t, {
      from: '2026-11-21T10:00:00.001Z',
      schedule: '*/5 * * * * *',
      random: 0.998,
    });
    await pass(4);
    assert.equal(events.length, 0);
    await pass(8);
    assert.equal(events.length, 2);
    assert.deepEqual(slept, [499, 499]);
    assert.match(events[0]?.attributes['time'] ?? '', /^2026-11-21T10:00:0[56]/);
  });

  for (const zone of [{ timezone: 'Europe/Berlin' }, { schedule: 'CRON_TZ=Europe/Berlin 0 3 * * *' }]) {
    it(`keeps the time zone of ${Object.keys(zone)[0]}`, async (t) => {
      const { events, pass } = running(t, { schedule: '0 3 * * *', ...zone, from: '2026-11-21T01:59:55Z' });
      await pass(4);
      assert.equal(events.length, 0);
      await pass(3);
      assert.equal(events.length, 1, '3:00 in Berlin is 2:00 UTC in November');
    });
  }

  it('sends its data as they are, with their type', async (t) => {
    const data = Buffer.from('{"a":1}');
    const { events, pass } = running(t, {
      from: '2026-11-21T10:04:59Z',
      data,
      contentType: 'application/json',
    });
    await pass(3);
    assert.equal(events[0]?.contentType, 'application/json');
    assert.equal(events[0]?.data, data);
  });

  it('is silent after it was closed, even in the middle of its delay', async (t) => {
    const { events, hops, source, pass } = running(t, { from: '2026-11-21T10:04:59.900Z', random: 0.9 });
    t.mock.timers.tick(150);
    const closed = source.close();
    await pass(700);
    await closed;
    assert.deepEqual([events, hops], [[], []]);
  });

  it('with a schedule that is none is refused', () => {
    assert.throws(
      () =>
        startPingSource(
          { ...spec, schedule: '@every 1m' },
          { send: async () => ({ status: 202 }), report: () => undefined },
        ),
      {
        code: 'misuse',
        message: 'PingSource tick: unsupported descriptor @every',
      },
    );
  });
});
