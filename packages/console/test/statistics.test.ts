import assert from 'node:assert/strict';
import { it } from 'node:test';
import { servedIn } from '../model/flow-graph.ts';
import {
  busyIn,
  costsOf,
  histogramOf,
  memoryOf,
  processesIn,
  spansOf,
  stepsOf,
  summariesOf,
  wordOf,
} from '../model/statistics.ts';
import { readRecorded } from './recorded.ts';

const { deliveries, map } = readRecorded();

it('sums, histograms and costs', () => {
  const [one] = summariesOf(deliveries, servedIn(map));
  assert.deepEqual([one?.function, one?.failed], ['distributed-service', 1]);
  assert.ok(one?.calls.some(([name]) => name === 'pod-changed'));
  assert.ok(summariesOf(deliveries, new Map()).some((sum) => sum.function === 'pod-changed'));
  assert.deepEqual(histogramOf([1, 5, 6, 99], [5, 10]), [2, 1, 1]);
  const tries = deliveries.filter(({ event }) => [155, 163].includes(event));
  const spans = spansOf(tries, servedIn(map));
  const [span] = spans.get('message-changed') ?? [];
  // Its start, and its work after that.
  assert.equal(Math.round((span?.to ?? 0) - (span?.from ?? 0)), 3464);
  assert.deepEqual([...spans.keys()], ['message-changed', 'distributed-service']);
  const hour = 3_600_000;
  const two = new Map([
    [
      'f',
      [
        { from: 0, to: hour },
        { from: 0, to: hour },
      ],
    ],
  ]);
  const costs = costsOf(two, { from: hour / 2, to: hour * 2.5 });
  assert.deepEqual(costs, [{ function: 'f', awakeSeconds: 3600, share: 50 }]);
  assert.deepEqual(
    stepsOf([
      { from: 1, to: 3 },
      { from: 2, to: 3 },
    ]),
    [
      [1, 1],
      [2, 2],
      [3, 1],
      [3, 0],
    ],
  );
});

it('the last cold start is the one that began last, in whatever order deliveries are handed in', () => {
  const [one] = deliveries;
  assert.ok(one);
  const cold = (at: string, coldMs: number) => ({ ...one, at: `2026-01-02T${at}`, coldMs });
  // The last one is written without milliseconds.
  const starts = [cold('03:04:05.900Z', 1), cold('03:04:06Z', 2), cold('03:04:04.000Z', 3)];
  const orders = [starts, starts.toReversed(), [...starts.slice(1), ...starts.slice(0, 1)]];
  assert.deepEqual(
    orders.map((rows) => summariesOf(rows, new Map()).map(({ lastColdMs }) => lastColdMs)),
    [[2], [2], [2]],
  );
  const warm = summariesOf([{ ...one, coldMs: 0 }], new Map());
  assert.deepEqual(
    warm.map(({ lastColdMs }) => lastColdMs),
    [undefined],
  );
});

it('a process is said once, with what it does now', () => {
  const rows = [
    { name: 'pod-changed', process: 'distributed-service', awake: 2 },
    { name: 'claim-changed', process: 'distributed-service', awake: 2 },
    { name: 'message-changed', process: 'message-changed', awake: 0 },
    { name: 'alone' },
  ];
  const processes = processesIn(rows).map((one) => [one.name, wordOf(one)]);
  assert.deepEqual(processes, [
    ['distributed-service', 'awake ×2'],
    ['message-changed', 'asleep'],
    ['alone', 'unknown'],
  ]);
  assert.deepEqual([wordOf(undefined), wordOf({ name: 'a', awake: 0, crashing: 'why' })], ['unknown', 'crashing']);
});

it('a function is busy for a minute after an event', () => {
  const at = '2026-01-02T03:04:05.000Z';
  const rows = [
    { function: 'now', at },
    { function: 'before', at: '2026-01-02T03:03:04.000Z' },
  ];
  assert.deepEqual([...busyIn(rows, Date.parse(at) + 1000)], ['now']);
});

it('memory is said of what is awake, where anybody says it', () => {
  const states = [
    { awake: 1, memoryBytes: 61_440_000 },
    { awake: 2, memoryBytes: 120_000_000 },
    { awake: 0, memoryBytes: 0 },
    { awake: 1 },
    undefined,
  ];
  assert.deepEqual(states.map(memoryOf), ['61 MB', '120 MB in 2 processes', undefined, undefined, undefined]);
});
