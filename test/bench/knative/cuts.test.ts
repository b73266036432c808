import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Counts, countsIn, minus } from '../../../bench/knative/cuts/counts.ts';
import { allInOne, cuts, servicesOf, usual } from '../../../bench/knative/cuts/cuts.ts';
import { rowsOf } from '../../../bench/knative/cuts/rows.ts';
import type { Turn } from '../../../bench/knative/cuts/turn.ts';
import { functions, services } from '../../../functions/table.ts';
import { createMetrics } from '../../../packages/controller/server/metrics.ts';
import { firstEvents } from '../../../tools/build/first-events.ts';

const nothing: Counts = { reads: 0, writes: 0, conflicts: 0 };
const woken = (ms: number) => ({ ms, started: ['a'], others: [], MB: 1, counts: nothing });

function turn(ms: number): Turn {
  return { service: woken(ms), pod: woken(ms), warmServices: [ms, ms, 9 * ms], warmPods: [ms], warmCounts: nothing };
}

test('reads, writes and conflicts are told apart in what a function says of itself', async () => {
  const metrics = createMetrics({ now: () => 0 });
  for (const [verb, code] of [
    ['get', '200'],
    ['get', '404'],
    ['list', '200'],
    ['create', '201'],
    ['apply', '409'],
  ] as const)
    metrics.apiRequest(verb, code);
  const counts = countsIn(await metrics.render());
  assert.deepEqual(counts, { reads: 3, writes: 2, conflicts: 1 });
  assert.deepEqual(minus(counts, { reads: 1, writes: 2, conflicts: 0 }), { reads: 2, writes: 0, conflicts: 1 });
});

test('a cut is a Service for each function that changes the cluster, for each resource, or one', () => {
  const changing = Object.values(functions).filter(({ wakes }) => wakes === 'change').length;
  assert.deepEqual(
    cuts.map((cut) => servicesOf(cut).length),
    [changing, 2, 1],
  );
  assert.deepEqual(servicesOf(usual), ['distributed-service', 'message-changed']);
});

test('a cut is compared with the usual one of the same round, and what failed in a round takes no other along', () => {
  const [each, , one] = cuts;
  assert.ok(each && one);
  const rows = rowsOf([
    new Map([
      [each, turn(20)],
      [usual, turn(10)],
      [one, turn(5)],
    ]),
    new Map([[each, turn(3000)]]),
    new Map([
      [usual, turn(100)],
      [one, turn(50)],
    ]),
  ]);
  const ratios = (what: string) =>
    rows.filter(({ name }) => name.startsWith(`cuts: ${what}`)).map(({ figures }) => figures['× usual']);
  assert.deepEqual(ratios('cold, apply to Running'), [2, 1, 0.5]);
  assert.deepEqual(ratios('warm, apply to Running'), [2, 1, 0.5]);
  assert.equal(rows.find(({ name }) => name === `cuts: warm, apply to Running: ${one.name}`)?.figures['n'], 6);
});

test('the code cache of a process that is in no table is made with the events of the stems that it serves', () => {
  const stems = services['distributed-service'];
  const given = firstEvents(allInOne, [...stems, 'message-changed']);
  const paths = new Set(given.map(({ path }) => path));
  assert.deepEqual(
    [...paths],
    [...stems, 'message-changed'].map((stem) => `/${stem}`),
  );
});
