import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { keptWith, mostKept } from '../model/keeping.ts';
import { askerOf, type Tries } from '../model/looking.ts';
import type { Delivery } from '../model/types.ts';
import { readRecorded } from './recorded.ts';

const [recorded] = readRecorded().deliveries;
const rowOf = (seq: number, event = seq): Delivery => ({ ...(recorded as Delivery), seq, event });
const none: ReadonlyMap<number, readonly Delivery[]> = new Map();

it('a page that stays open keeps the deliveries of as many events as came last', () => {
  const most = 50;
  let kept = none;
  for (let seq = 1; seq <= 1000; seq += 2) {
    // Each answer has those before once more, the newest first.
    kept = keptWith(kept, [rowOf(seq + 1), rowOf(seq), rowOf(seq - 1)], most);
    assert.ok(kept.size <= most, `${kept.size} events`);
  }
  assert.deepEqual(
    [...kept.keys()],
    Array.from({ length: most }, (_, index) => 951 + index),
  );
  // Old events that a person looks at now are not the first to go.
  const looked = keptWith(kept, [rowOf(2, 2), rowOf(1, 1)], most);
  assert.deepEqual([looked.size, looked.has(1), looked.has(2), looked.has(951)], [most, true, true, false]);
});

it('each delivery is kept once, and none whose event the log no longer has', () => {
  const kept = keptWith(none, [rowOf(3, 1), rowOf(2, 0), rowOf(1, 1)]);
  assert.deepEqual(
    [...kept].map(([event, rows]) => [event, rows.map(({ seq }) => seq)]),
    [[1, [1, 3]]],
  );
  assert.equal(keptWith(kept, [rowOf(3, 1), rowOf(7, 0)]), kept);
});

it('a page that stays open does not count its questions about all events that it ever had', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-02T03:04:05Z') });
  const tries = new Map<number, Tries>();
  const want = askerOf({ read: async () => undefined, isAnswered: () => false, tries });
  const time = new Date().toISOString();
  const size = 1000;
  for (let seq = 1; seq <= mostKept + 2 * size; seq += size) {
    want(Array.from({ length: size }, (_, index) => ({ seq: seq + index, time })));
    test.mock.timers.tick(300);
    await settle();
  }
  assert.deepEqual([tries.size, tries.has(1), tries.has(mostKept + 2 * size)], [mostKept, false, true]);
});
