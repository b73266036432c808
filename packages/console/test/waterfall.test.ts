import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RecordedEvent } from '../model/types.ts';
import { type Became, tracesOf, waterfallOf } from '../model/waterfall.ts';
import { readRecorded } from './recorded.ts';

const { events, deliveries } = readRecorded();
const of = (seq: number) => deliveries.filter(({ event }) => event === seq);
const eventAt = (seq: number) => events.find((event) => event.seq === seq) as RecordedEvent;

it('a waterfall has the cold start and the work of each function, and the wait before', () => {
  const lane = waterfallOf(eventAt(155), { tries: of(155), letters: [] }).find(
    ({ title }) => title === 'message-changed',
  );
  const bars = lane?.bars ?? [];
  assert.deepEqual(
    bars.map(({ part }) => part).filter((part) => part !== 'wait'),
    ['cold', 'work'],
  );
  assert.equal(bars.find(({ part }) => part === 'cold')?.ms, 2756);
  // The mesh says 3464.3 ms with the start in it.
  assert.equal(bars.at(-1)?.ms, 708.3);
});

const base = { event: 1, id: 'a', function: 'f', reads: 0, writes: 0, parents: [], written: [] };
const time = '2026-01-02T03:04:05.000Z';

it('a failed try, the wait after it and the next try follow one another; an event that was sent again begins anew', () => {
  const tries = [
    { ...base, seq: 2, attempt: 2, at: '2026-01-02T03:04:06.000Z', ms: 20, status: 204, outcome: 'done' },
    { ...base, seq: 1, attempt: 1, at: time, ms: 10, status: 503, outcome: '' },
    { ...base, seq: 3, attempt: 1, at: '2026-01-02T09:04:06.000Z', ms: 5, status: 204, outcome: 'done' },
  ];
  assert.deepEqual(barsOf({ tries, letters: [] }), {
    f: [
      ['failed', 0, 10],
      ['wait', 10, 990],
      ['work', 1000, 20],
    ],
    '↻ f': [['work', 0, 5]],
  });
});

const letter = { destination: 'http://f.knudge.svc.cluster.local' };

it('a dead letter is the last bar of the tries that led to it, also after the event was sent again', () => {
  const first = '2026-01-02T03:04:06.000Z';
  const last = '2026-01-02T09:04:06.008Z';
  const tries = [
    { ...base, seq: 1, attempt: 1, at: time, ms: 990, status: 503, outcome: '' },
    { ...base, seq: 2, attempt: 1, at: '2026-01-02T09:04:06.000Z', ms: 5, status: 503, outcome: '' },
    { ...base, seq: 3, attempt: 1, at: '2026-01-02T10:04:06.000Z', ms: 7, status: 204, outcome: 'done' },
  ];
  assert.deepEqual(barsOf({ tries, letters: [{ ...letter, first, last }] }), {
    f: [
      ['failed', 0, 990],
      ['letter', 990, 10],
    ],
    '↻ f': [
      ['failed', 0, 5],
      ['letter', 5, 3],
    ],
    '↻ f 2': [['work', 0, 7]],
  });
});

it('a dead letter whose tries nobody has reported has a lane of its own, and one that came earlier than its try is not before it', () => {
  const soon = '2026-01-02T03:04:07.000Z';
  assert.deepEqual(barsOf({ tries: [], letters: [{ ...letter, first: soon, last: soon }] }), {
    f: [['letter', 0, 2000]],
  });
  const tries = [{ ...base, seq: 1, attempt: 1, at: soon, ms: 10, status: 400, outcome: '' }];
  assert.deepEqual(barsOf({ tries, letters: [{ ...letter, first: time, last: time }] }), {
    f: [
      ['wait', 0, 2000],
      ['failed', 2000, 10],
      ['letter', 2010, 0],
    ],
  });
});

it('each trace of an event is there once, with the functions that it went through', () => {
  const one = { ...base, seq: 1, attempt: 1, at: time, ms: 1, status: 204, outcome: 'done' };
  const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
  const tries = [{ ...one, traceId: a }, { ...one, traceId: a }, { ...one, function: 'g', traceId: a }, one];
  assert.deepEqual(tracesOf([...tries, { ...one, traceId: b }]), [
    { id: a, functions: ['f', 'g'] },
    { id: b, functions: ['f'] },
  ]);
  assert.deepEqual(tracesOf([one]), []);
});

/** The bars of each lane but that of the log; a lane with the title of an earlier one gets a number. */
function barsOf(became: Became): Readonly<Record<string, readonly unknown[]>> {
  const lanes = waterfallOf({ time, recorded: time }, became).slice(1);
  const titles = lanes.map(({ title }, index) => {
    const before = lanes.slice(0, index).filter((lane) => lane.title === title).length;
    return before === 0 ? title : `${title} ${before + 1}`;
  });
  return Object.fromEntries(
    lanes.map(({ bars }, at) => [titles[at], bars.map(({ part, from, ms }) => [part, from, ms])]),
  );
}
