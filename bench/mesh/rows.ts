import type { Row } from '../report.ts';
import { median, pairedRatio } from '../statistics.ts';
import type { Burst } from './burst.ts';
import type { Cold } from './cold.ts';
import type { Latency } from './latency.ts';
import type { Memory } from './memory.ts';
import { quantile } from './quantile.ts';
import type { Throughput } from './throughput.ts';

/** Events in a second that source, Broker, Trigger and function pass through, by the class of the Broker. */
const leastEventsPerSecond = { Kafka: 1200, 'in memory': 1500 } as const;
const longestApplyMs = { p50: 6, p99: 50 } as const;
const longestBurstMs = 4000;
const mostMegabytes = 400;
const tolerance = 0.1;

type Label = keyof typeof leastEventsPerSecond;

export function throughputRows(label: Label, rounds: readonly Throughput[]): readonly Row[] {
  const us = (pick: (one: Throughput) => number): number => median(rounds.map(pick));
  const row = (name: string, pick: (one: Throughput) => number, base: (one: Throughput) => number): Row => ({
    name: `${label}: ${name}`,
    figures: {
      'events/s': 1e6 / us(pick),
      '× bare': pairedRatio(rounds.map(pick), rounds.map(base)),
      'µs an event': us(pick),
    },
  });
  const goal = { value: us(({ deleted }) => deleted), most: 1e6 / leastEventsPerSecond[label], tolerance };
  return [
    {
      ...row(
        'deleted Pods to a function',
        (one) => one.deleted,
        (one) => one.bareOne,
      ),
      goal,
    },
    row(
      'the same while 16 writers create them',
      (one) => one.created,
      (one) => one.bareOne,
    ),
    row(
      '16 posts at a time to the Broker',
      (one) => one.posted,
      (one) => one.bareMany,
    ),
  ];
}

export function bareRows(rounds: readonly Throughput[]): readonly Row[] {
  const row = (name: string, pick: (one: Throughput) => number): Row => {
    const us = median(rounds.map(pick));
    return { name, figures: { 'events/s': 1e6 / us, '× bare': 1, 'µs an event': us } };
  };
  return [
    row('node:http, bare, one post at a time', ({ bareOne }) => bareOne),
    row('node:http, bare, 16 at a time', ({ bareMany }) => bareMany),
  ];
}

export function latencyRows(rounds: readonly Latency[]): readonly Row[] {
  const of = (pick: (one: Latency) => readonly number[], share: number): readonly number[] =>
    rounds.map((one) => quantile(pick(one), share));
  const bare = (share: number): readonly number[] => of((one) => one.bare, share);
  const toPod = (share: number): readonly number[] => of((one) => one.toPod, share);
  const figures = (pick: (share: number) => readonly number[]) => ({
    'p50 ms': median(pick(0.5)),
    'p99 ms': median(pick(0.99)),
    '× bare': pairedRatio(pick(0.5), bare(0.5)),
  });
  const goal = (share: number, most: number) => ({ value: median(toPod(share)), most, tolerance });
  return [
    { name: 'apply of a Message to its Pod', figures: figures(toPod), goal: goal(0.5, longestApplyMs.p50) },
    {
      name: '… its p99',
      figures: { 'p99 ms': median(toPod(0.99)) },
      goal: goal(0.99, longestApplyMs.p99),
    },
    { name: 'apply of a ConfigMap, nothing more', figures: figures(bare) },
  ];
}

export function burstRows(label: Label, rounds: readonly Burst[]): readonly Row[] {
  const messages = rounds.map((one) => one.messages);
  const direct = rounds.map((one) => one.direct);
  const goal = { value: median(messages), most: longestBurstMs, tolerance };
  return [
    {
      name: `${label}: 1,000 Messages to 1,000 Pods`,
      figures: { 'wall ms': median(messages), '× bare': pairedRatio(messages, direct) },
      goal,
    },
    { name: `${label}: 1,000 Pods created directly`, figures: { 'wall ms': median(direct), '× bare': 1 } },
  ];
}

export function coldRows(rounds: readonly Cold[]): readonly Row[] {
  const bare = rounds.map((one) => one.bare);
  const row = (name: string, values: readonly number[]): Row => ({
    name,
    figures: { 'wall ms': median(values), '× bare': pairedRatio(values, bare) },
  });
  return [
    row(
      'event to the answer of a function that slept',
      rounds.map(({ toAnswer }) => toAnswer),
    ),
    row(
      'of it until its process listens',
      rounds.map(({ toListening }) => toListening),
    ),
    row('a bare process to its first answer', bare),
  ];
}

export function memoryRows({ idle, full, bare }: Memory): readonly Row[] {
  const row = (name: string, megabytes: number): Row => ({
    name,
    figures: { MB: megabytes, '× bare': megabytes / bare },
  });
  return [
    row('the mesh, every function asleep', idle),
    {
      ...row('with 10,000 Pods and 1,000 DistributedServices', full),
      goal: { value: full, most: mostMegabytes, tolerance: 0 },
    },
    row('node:http, bare', bare),
  ];
}
