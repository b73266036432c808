import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import type { Filter } from '../model/filters.ts';
import { isNoOp, isOfServer, isShown, isWanted, predecessorsOf } from '../model/narrow.ts';
import { mergedWith, newsIn } from '../model/rows.ts';
import { oneAtATime, throttled } from '../model/throttle.ts';
import type { RecordedEvent } from '../model/types.ts';
import { readRecorded } from './recorded.ts';

const { events, deliveries } = readRecorded();
const of = (seq: number) => deliveries.filter(({ event }) => event === seq);
const eventAt = (seq: number) => events.find((event) => event.seq === seq) as RecordedEvent;

it('an event that comes fits by its words and its moment, however that is written; the event log searches by itself', () => {
  const failed = deliveries.find(({ status }) => status === 400);
  const event = { ...eventAt(failed?.event ?? 0), time: '2026-01-02T03:04:05.500Z' };
  const { kind = '', namespace = '', name = '', type, id } = event;
  assert.equal(isWanted(event, { kind, namespace, name, type, id }), true);
  assert.equal(isWanted(event, { name: 'other' }), false);
  const rows: readonly [Filter, boolean][] = [
    [{ since: '2026-01-02T03:04:05.500Z' }, true],
    [{ since: '2026-01-02T03:04:05Z' }, true],
    [{ since: '2026-01-02T04:04:05+01:00' }, true],
    [{ since: '2026-01-02T02:04:06-01:00' }, false],
    [{ since: '2099-01-01T00:00:00Z' }, false],
    [{ until: '2026-01-02T03:04:05.5Z' }, false],
    [{ until: '2026-01-02T03:04:06Z' }, true],
    [{ until: '2026-01-02T02:04:05-01:00' }, false],
  ];
  for (const [filter, fits] of rows) assert.equal(isWanted(event, filter), fits, JSON.stringify(filter));
  assert.deepEqual([{ q: 'a' }, { changed: 'spec' }, { kind: 'Pod' }].map(isOfServer), [true, true, false]);
});

it('a list shows a part of its events by what came of them', () => {
  const failed = deliveries.find(({ status }) => status === 400);
  const tries = of(failed?.event ?? 0);
  assert.deepEqual(
    [isShown('failed', tries), isShown('failed', undefined), isShown(undefined, undefined)],
    [true, false, true],
  );
  assert.deepEqual([isShown('changes', tries), isShown('changes', undefined)], [true, false]);
  assert.deepEqual([isNoOp([]), isNoOp(of(155))], [false, false]);
  const before = predecessorsOf(events.toReversed());
  assert.equal(before.get(52)?.seq, 48);
});

it('a list takes all that came after what it has, or knows that the tail does not reach back to there', () => {
  const most = 20;
  const eventsFrom = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ ...eventAt(52), seq: from + index }));
  const tail = mergedWith([], eventsFrom(81, 100), most);
  // What waits while the tail is paused, and is put in front of it afterwards.
  const resumed = (count: number) => mergedWith(tail, mergedWith([], eventsFrom(101, 100 + count), most), most);
  for (let count = 0; count <= 2 * most; count += 1) {
    const fresh = newsIn(resumed(count), { taken: 100, most });
    const list = mergedWith(eventsFrom(1, 100).toReversed(), fresh ?? []);
    assert.equal(list.length, fresh === undefined ? 100 : 100 + count, `${count} came`);
    assert.equal(fresh === undefined, count > most, `${count} came`);
  }
  const few = mergedWith([], eventsFrom(500, 510), most);
  assert.equal(newsIn(few, { taken: 100, most })?.length, 11, 'a tail that was never cut has all that came');
  assert.equal(
    newsIn(resumed(40), { taken: undefined, most })?.length,
    most,
    'a list without an answer takes what there is',
  );
});

it('throttled work is done however often it is called, once for all calls of its time', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let count = 0;
  const { call, end } = throttled(400, () => {
    count += 1;
  });
  for (let ms = 0; ms < 4000; ms += 100) {
    call();
    context.mock.timers.tick(100);
  }
  assert.equal(count, 10);
  call();
  end();
  context.mock.timers.tick(1000);
  assert.equal(count, 10);
});

it('work that many ask for is done one at a time: once more for all who asked meanwhile, also after it failed', async () => {
  const ends: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  const call = oneAtATime(work);
  const first = call();
  const rest = [call(), call(), call()];
  assert.equal(ends.length, 1);
  ends[0]?.(new Error('no answer'));
  await assert.rejects(first, /no answer/);
  await settle();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await Promise.all(rest);
  assert.equal(ends.length, 2);
  void call();
  assert.equal(ends.length, 3);
});
