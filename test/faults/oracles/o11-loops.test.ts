import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { prepare } from '../sim/prepare.ts';
import { testLies } from './edit-trace.ts';
import { busiest } from './o11-loops.ts';

const of = 'message-create';

function written(trace: Trace, kind: string): TracedChange {
  const change = trace.changes.findLast(({ by, object }) => by.who === 'run' && object.kind === kind);
  if (change === undefined) throw new Error(`no run has written a ${kind}`);
  return change;
}

/** The last write of an object by a run, this many times more; `between` stands before each of them. */
function again(
  trace: Trace,
  {
    kind = 'Message',
    times,
    everyMs = 0,
    between,
  }: { kind?: string; times: number; everyMs?: number; between?: TracedChange['by'] },
): Trace {
  const last = written(trace, kind);
  const user = trace.changes[0] as TracedChange;
  const more = Array.from({ length: times }, (_, index) => {
    const ms = (last.ms ?? 0) + (index + 1) * everyMs;
    const write = { ...last, at: last.at + 0.01 * index + 0.005, ms };
    return between === undefined ? [write] : [{ ...user, by: between, at: write.at - 0.001, ms }, write];
  });
  const changes = [...trace.changes, ...more.flat()].sort((one, other) => one.at - other.at);
  return { ...trace, changes };
}

const says = /Message shop\/hello was written \d+ times in a minute while nobody else changed anything/;

testLies('O11', {
  'a status is written again and again': { of, tell: (trace) => again(trace, { times: 10 }), says },
  'a status is written again and again, and not all at once': {
    of,
    tell: (trace) => again(trace, { times: 30, everyMs: 4_000 }),
    says,
  },
  'a Pod is made again and again': {
    of,
    tell: (trace) => again(trace, { kind: 'Pod', times: 12 }),
    says: /Pod shop\/msg-hello was written \d+ times in a minute/,
  },
  'the controllers of the cluster change things between': {
    of,
    tell: (trace) => again(trace, { times: 12, between: { who: 'cluster' } }),
    says,
  },
  'a status is written now and then': { of, tell: (trace) => again(trace, { times: 30, everyMs: 15_000 }) },
  'a person changes something each time': {
    of,
    tell: (trace) => again(trace, { times: 30, between: { who: 'user' } }),
  },
  'a status is written a few times': { of, tell: (trace) => again(trace, { times: 5 }) },
  'a run on a real cluster, where nobody counts milliseconds': {
    of,
    tell: (trace) => {
      const { changes } = again(trace, { times: 30 });
      return { ...trace, changes: changes.map(({ ms: _, ...change }) => change) };
    },
  },
  'Events are told as often as something happens': {
    of,
    tell: (trace) => again(trace, { kind: 'Event', times: 30 }),
  },
});

test('an honest run writes no object more than five times in a minute', async () => {
  for (const name of ['create-generated-mtls', 'create-with-workload', 'recreate', 'change-text-twice']) {
    const scenario = scenarios.find((one) => one.name === name);
    assert.ok(scenario, name);
    const { clean } = await prepare(scenario);
    const counts = busiest(clean.changes).map(({ count }) => count);
    assert.ok(Math.max(...counts) <= 5, `${name}: ${Math.max(...counts)}`);
  }
});
