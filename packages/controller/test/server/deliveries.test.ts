import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import request from 'supertest';
import { event } from '../../../../test/build/event.ts';
import type { Outgoing } from '../../domain/change.ts';
import { type Delivered, deliveryHeader, type Written } from '../../domain/delivery.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { readDeliveries, readDelivery } from '../../domain/read-deliveries.ts';
import { type Answered, reportByEvent, reportInHeader } from '../../server/deliveries.ts';
import { post, type StartParts, startApp } from './start.ts';

const epoch = (): number => Date.parse('2026-03-01T12:00:01.000Z');
const from = { instance: '7', epoch };
const written = (name = 'msg-hello'): Written => ({
  ...{ do: 'create', kind: 'Pod', namespace: 'shop', name, uid: `u-${name}`, resourceVersion: '12' },
});

/** What an answer says of the delivery. */
async function told(parts: StartParts, headers: Readonly<Record<string, string>> = {}): Promise<Delivered> {
  const { app } = startApp({ ...parts, report: reportInHeader(from) });
  const built = event();
  const answer = await post(app, { ...built, headers: { ...built.headers, ...headers } });
  return readDelivery(JSON.parse(answer.headers[deliveryHeader] ?? ''));
}

suite('a header of the answer says what became of the event', () => {
  test('that is done, with what was written for it', async () => {
    const trace = 'ab'.repeat(16);
    const delivered = await told(
      {
        handle: async (_, { note }) => {
          note?.(written());
          note?.(undefined);
          const parents = [{ apiVersion: 'v1', kind: 'Message', namespace: 'shop', name: 'hello' }];
          return [{ result: 'done', reads: 2, writes: 2, parents }];
        },
      },
      { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    );
    const { ms, at, ...rest } = delivered;
    assert.ok(ms >= 0 && at <= new Date(epoch()).toISOString());
    assert.deepEqual(rest, {
      event: { id: 'event-1', source: event().headers['ce-source'] },
      ...{ function: 'message-changed', status: 204, outcome: 'done', reads: 2, writes: 1, inVain: 1 },
      ...{ parents: ['Message shop/hello'], written: [written()], traceId: trace, instance: '7' },
    });
  });
  test('that failed when half of it was written', async () => {
    const counts = { reads: 1, writes: 1 };
    const {
      status,
      outcome,
      written: all,
    } = await told({
      handle: async (_, { note }) => {
        note?.(written());
        throw new KnudgeError('conflict', 'changed', { counts });
      },
    });
    assert.deepEqual([status, outcome, all], [503, 'conflict', [written()]]);
  });
  test('of which fifty writes are named, as far as there is room, and the rest is counted', async () => {
    const many = Array.from({ length: 70 }, (_, n) => written(`ä${'x'.repeat(60)}-${n}`));
    const delivered = await told({
      handle: async (_, { note }) => {
        for (const one of many) note?.(one);
        return [{ result: 'done', reads: 0, writes: 70 }];
      },
    });
    assert.ok(delivered.written.length > 10 && delivered.written.length < 50);
    assert.equal(delivered.written.length + (delivered.unlisted ?? 0), 70);
    assert.deepEqual(delivered.written[0], many[0]);
  });
});

test('a header that would be too long is left away', async () => {
  const { app } = startApp({ report: reportInHeader(from) });
  const withId = (length: number) =>
    post(app, { ...event(), headers: { ...event().headers, 'ce-id': 'x'.repeat(length) } });
  const short = await withId(7000);
  assert.equal(readDelivery(JSON.parse(short.headers[deliveryHeader] ?? '')).event.id.length, 7000);
  const long = await withId(9000);
  assert.deepEqual([long.status, long.headers[deliveryHeader]], [204, undefined]);
});

test('nothing is said where nobody asked, of a dry run, of what is no event, or of a report of deliveries', async () => {
  const plain = startApp();
  assert.equal((await post(plain.app, event())).headers[deliveryHeader], undefined);
  assert.equal(plain.calls[0]?.options.note, undefined);
  const { app } = startApp({ report: reportInHeader(from), env: { LISTEN_ADDRESS: '127.0.0.1' } });
  assert.equal((await post(app, event(), '/?dryRun=All')).headers[deliveryHeader], undefined);
  assert.equal((await request(app).post('/').send({})).headers[deliveryHeader], undefined);
  const built = event();
  const said = await post(app, { ...built, headers: { ...built.headers, 'ce-type': 'dev.knudge.reconciled' } });
  assert.deepEqual([said.status, said.headers[deliveryHeader]], [204, undefined]);
});

const answered = (parts: Partial<Answered> = {}): Answered => ({
  ...{ event: { id: 'e', source: '/s' }, function: 'message-changed', outcome: 'done', ms: 5, traceId: undefined },
  gathered: { written: [], unlisted: 0, inVain: 0 },
  ...parts,
});
const answer = { status: 204, headers: {}, body: '' };

function batches(now = 240) {
  const sent: Outgoing[] = [];
  const timers: (() => void)[] = [];
  const lost: number[] = [];
  const works = { now: true, after: Promise.resolve() };
  const { report, flush } = reportByEvent({
    ...from,
    sender: {
      send: async (one) => {
        if (!works.now) await works.after;
        if (!works.now) throw new KnudgeError('unavailable', 'no');
        sent.push(one);
      },
    },
    after: (_, task) => {
      timers.push(task);
      return () => timers.splice(timers.indexOf(task), 1);
    },
    newId: () => `id-${sent.length}`,
    now: () => now,
    onLost: (_, count) => lost.push(count),
  });
  const of = (index: number): readonly Delivered[] => readDeliveries(sent[index]?.data);
  return { report, flush, sent, timers, lost, works, of };
}

suite('an event after the answers says what became of many', () => {
  test('of all that came within a second, and of what was written after its answer', () => {
    const { report, sent, timers, of } = batches();
    const gathered = { written: [] as Written[], unlisted: 0, inVain: 0 };
    assert.equal(report()(answered({ gathered }), answer), answer);
    report()(answered(), answer);
    gathered.written.push(written());
    assert.deepEqual([sent.length, timers.length], [0, 1]);
    timers[0]?.();
    assert.deepEqual([sent.length, sent[0]?.type], [1, 'dev.knudge.reconciled']);
    assert.deepEqual(
      of(0).map((one) => [one.coldMs, one.written.length]),
      [
        [240, 1],
        [undefined, 0],
      ],
    );
  });
  test('cold is the first that came, also where a later one is answered before it', () => {
    const { report, timers, of } = batches();
    const [first, later] = [report(), report()];
    later(answered(), answer);
    first(answered({ ms: 9 }), answer);
    timers[0]?.();
    assert.deepEqual(
      of(0).map(({ ms, coldMs }) => [ms, coldMs]),
      [
        [5, undefined],
        [9, 240],
      ],
    );
  });
  test('at once where a hundred wait', () => {
    const { report, sent, timers, of } = batches(60_000);
    for (let n = 0; n < 101; n += 1) report()(answered(), answer);
    assert.deepEqual([sent.length, of(0).length, timers.length], [1, 100, 1]);
    assert.equal(of(0)[0]?.coldMs, undefined, 'the process was there long before');
  });
  test('at the end of the process, and is lost where the Broker does not take it', async () => {
    const { report, flush, sent, lost, works, timers } = batches();
    report()(answered(), answer);
    works.now = false;
    await flush();
    await flush();
    assert.deepEqual([sent.length, lost, timers.length], [0, [1], 0]);
  });
  test('at the end of the process, which waits for one that is being sent', async () => {
    const { report, flush, lost, works, timers } = batches();
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(works, { now: false, after: promise });
    report()(answered(), answer);
    timers[0]?.();
    let isOver = false;
    const flushed = flush().then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    assert.equal(isOver, false);
    resolve();
    await flushed;
    assert.deepEqual(lost, [1]);
  });
});
