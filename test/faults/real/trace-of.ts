import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedAnswer, TracedCall, TracedChange } from '../../../packages/controller/testing/trace.ts';
import type { SeenChange } from './namespace-log.ts';
import type { Writes } from './writes.ts';

export interface Happened extends Pick<Trace, 'marks' | 'objects' | 'resting' | 'output' | 'parents' | 'now'> {
  readonly calls: readonly TracedCall[];
  readonly changes: readonly SeenChange[];
  /** What was before is no part of the trace. */
  readonly since: number;
  readonly answers: readonly TracedAnswer[];
  readonly writes: Writes;
}

/**
 * The trace of a run on a real API server. The changes are those that the watches reported; what a call or the user wrote is
 * known by uid and version and stands right behind that call. What the cluster wrote stands where a watch reported it, or
 * before, where something of a later version was written sooner: versions of all kinds are one order (etcd's revisions).
 */
export function traceOf({ writes, since, ...happened }: Happened): Trace {
  const inOrder = happened.changes.toSorted((one, other) => versionOf(one.object) - versionOf(other.object));
  const changes = inOrder.map((change) => ({ change, ...writes.claim(change) }));
  let limit = Number.POSITIVE_INFINITY;
  const placed = changes
    .toReversed()
    .map(({ change, by, at }) => {
      limit = Math.min(at, limit - 1e-6);
      return { change, by, at: by.who === 'cluster' ? limit : at };
    })
    .filter(({ at }) => at > since);
  const calls = happened.calls.toSorted((one, other) => one.at - other.at);
  const numbers = numbersFor([
    ...calls.map(({ at }) => at),
    ...placed.map(({ at }) => at),
    ...happened.answers.flatMap(({ at, began }) => [at, began]),
    ...Object.values(happened.marks),
  ]);
  const { lifted, rest, end } = happened.marks;
  return {
    ...happened,
    calls: calls.map((call) => ({ ...call, at: numbers(call.at) })),
    changes: placed.toReversed().map(({ change, by, at }) => changeOf(change, by, { at: numbers(at), numbers })),
    answers: happened.answers.map((answer) => ({ ...answer, at: numbers(answer.at), began: numbers(answer.began) })),
    marks: { lifted: numbers(lifted), rest: numbers(rest), end: numbers(end) },
    staleReads: calls.some(({ fault = '' }) => fault.includes('stale')),
  };
}

function changeOf(
  { type, object, before }: SeenChange,
  by: TracedChange['by'],
  { at, numbers }: { readonly at: number; readonly numbers: (at: number) => number },
): TracedChange {
  const whose = by.who === 'run' ? { ...by, call: numbers(by.call) } : by;
  return { at, by: whose, type, object, ...(before !== undefined && { before }) };
}

/** Whole numbers in the same order. */
function numbersFor(places: readonly number[]): (place: number) => number {
  const sorted = [...new Set(places)].sort((one, other) => one - other);
  const numbers = new Map(sorted.map((place, index) => [place, index + 1]));
  return (place) => numbers.get(place) ?? 0;
}

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? 0);
}
