import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recorded } from '../../../../test/build/event.ts';
import type { ResyncMarks } from '../../domain/rounds.ts';
import { apartMs, gatherMs, readySince, type Step, settleMs, stepFor } from '../../resync/restart.ts';

const nothing: Step = { do: 'nothing' };
const begin: Step = { do: 'begin' };
const wait = (seconds: number): Step => ({ do: 'wait', ms: seconds * 1000 });

interface Row {
  readonly reason: string;
  /** Seconds, as all times here; the adapter is ready at 100 unless said otherwise. */
  readonly now: number;
  readonly ready?: number;
  readonly whole?: number;
  readonly began?: number;
  readonly by?: string;
  /** A round that is under way: when it began, and since when nobody has been seen at it. */
  readonly round?: { readonly id: string; readonly began: number; readonly seen: number };
  readonly step: Step;
}

const rows: readonly Row[] = [
  { reason: 'its watches do not stand yet', now: 100, step: wait(10) },
  { reason: 'the other source may be on its way', now: 107, step: wait(3) },
  { reason: 'nobody has asked after all since', now: 110, step: begin },
  { reason: 'it comes late', now: 500, step: begin },
  { reason: 'the last whole round began too early', now: 110, whole: 105, step: begin },
  { reason: 'a whole round has begun since', now: 110, whole: 106, step: nothing },
  { reason: 'it is replayed days later', now: 900_000, whole: 899_900, step: nothing },
  { reason: 'the resync of the other source sees it too', now: 112, began: 106, by: 'b', step: nothing },
  {
    reason: 'that of the other source was too early, a minute has not passed',
    now: 112,
    began: 105,
    by: 'b',
    step: wait(53),
  },
  { reason: 'that of the other source was a minute ago', now: 165, began: 105, by: 'b', step: begin },
  { reason: 'its own process died', now: 112, began: 110, by: 'a', step: begin },
  { reason: 'its own round is through', now: 130, began: 110, by: 'a', whole: 110, step: nothing },
  { reason: 'a kubelet is an hour ahead', now: 100, ready: 3700, step: begin },
  {
    reason: 'a kubelet is an hour ahead, and one a minute is enough',
    now: 100,
    ready: 3700,
    began: 90,
    by: 'b',
    step: wait(50),
  },
  {
    reason: 'a tick is under way that began too early',
    now: 110,
    round: { id: 't', began: 90, seen: 95 },
    step: wait(2),
  },
  {
    reason: 'a tick is under way that sees it too',
    now: 120,
    round: { id: 't', began: 106, seen: 110 },
    step: nothing,
  },
  { reason: 'who began a tick has died', now: 130, round: { id: 't', began: 90, seen: 100 }, step: begin },
  { reason: 'its own event comes again', now: 112, round: { id: 'a', began: 110, seen: 111 }, step: begin },
  { reason: 'somebody wrote a time of the future', now: 110, whole: 99_999, began: 99_999, by: 'b', step: begin },
];

const roundOf = ({ began, seen }: { readonly began: number; readonly seen: number }) => ({
  key: 'k',
  before: '',
  began: began * 1000,
  seen: seen * 1000,
  step: 0,
  tries: 1,
});

describe('a source that has started anew', () => {
  for (const { reason, now, ready = 100, whole, began, by = '', round, step: wanted } of rows) {
    it(`${wanted.do === 'wait' ? `waits ${wanted.ms / 1000} s` : wanted.do}: ${reason}`, () => {
      const marks: ResyncMarks = {
        ...(whole !== undefined && { whole: whole * 1000 }),
        ...(began !== undefined && { restart: { began: began * 1000, by } }),
        ...(round && { round: { ...roundOf(round), id: round.id } }),
      };
      assert.deepEqual(stepFor({ ready: ready * 1000, by: 'a' }, marks, now * 1000), wanted);
    });
  }

  it('is gathered with the other source', () => assert.ok(gatherMs >= 3000 && settleMs > gatherMs));

  for (const [what, gaps] of [
    ['in one minute, evenly', Array(40).fill(1500)],
    ['at once', Array(40).fill(0)],
    ['for ten minutes', Array(40).fill(15_000)],
    ['an hour apart', Array(5).fill(3_600_000)],
  ] as const) {
    it(`${gaps.length} times ${what}: one resync a minute at most, and one after the last`, () => {
      const ready = gaps.map((_, index) => 1_000_000 + gaps.slice(0, index).reduce((sum, gap) => sum + gap, 0));
      const began = resyncsOf(ready);
      for (const [index, at] of began.entries()) {
        if (index > 0) assert.ok(at - (began[index - 1] ?? 0) >= apartMs, `${at} comes after ${began[index - 1]}`);
      }
      for (const at of ready) {
        assert.ok(
          began.some((start) => start >= at + settleMs && start <= at + settleMs + gatherMs + apartMs),
          `no resync for ${at}`,
        );
      }
    });
  }
});

/** When resyncs begin if every event asks again each time that it may, all of them side by side. */
function resyncsOf(ready: readonly number[]): readonly number[] {
  const began: number[] = [];
  let marks: ResyncMarks = {};
  const asking = ready.map((at, index) => ({ restart: { ready: at, by: `event-${index}` }, at }));
  for (;;) {
    asking.sort((one, other) => one.at - other.at);
    const next = asking.shift();
    if (next === undefined) return began;
    const step = stepFor(next.restart, marks, next.at);
    if (step.do === 'wait') asking.push({ ...next, at: next.at + step.ms });
    if (step.do !== 'begin') continue;
    began.push(next.at);
    marks = { ...marks, restart: { began: next.at, by: next.restart.by } };
  }
}

describe('the Pod of an adapter', () => {
  const pod = recorded('resync-due/adapter-ready').body;
  const parsed = JSON.parse(String(pod)) as { metadata: object; status: { conditions: readonly object[] } };

  it('tells since when it is ready', () => assert.equal(readySince(parsed), Date.parse('2026-11-22T14:29:11Z')));

  for (const [what, data] of [
    ['goes', { ...parsed, metadata: { ...parsed.metadata, deletionTimestamp: '2026-11-22T14:29:12Z' } }],
    ['is not ready', { ...parsed, status: { conditions: [{ type: 'Ready', status: 'False' }] } }],
    ['has no times', { ...parsed, status: { conditions: [{ type: 'Ready', status: 'True' }] } }],
    ['has no conditions', { ...parsed, status: {} }],
    ['has conditions of nothing', { ...parsed, status: { conditions: [null, 7] } }],
    ['is a text', 'Pod'],
    ['is nothing', null],
    ['is not there', undefined],
  ] as const) {
    it(`that ${what} tells nothing`, () => assert.equal(readySince(data), undefined));
  }
});
