import { boundariesOf, type Boundary } from '../kinds/enumerate.ts';
import type { Trace, TracedCall } from '../trace.ts';

export interface Pruned {
  /** Where a fault can make a difference. */
  readonly boundaries: readonly Boundary[];
  /** How many calls are left out. */
  readonly pruned: number;
}

/**
 * The calls of a run without faults at which a fault can lead somewhere new. Left out are the calls of an invocation that
 * wrote nothing and saw exactly what an earlier one of the same function, or of another about the same parent, had seen:
 * whatever befalls it leaves the cluster as the same fault did there, and its event is no other question.
 */
export function distinctBoundaries(trace: Trace): Pruned {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  for (const [run, calls] of callsByRun(trace)) {
    if (calls.some(isWrite)) continue;
    const sight = JSON.stringify(calls.map(sightOf));
    if (seen.has(sight)) repeated.add(run);
    seen.add(sight);
  }
  const all = boundariesOf(trace);
  const calls = trace.calls.filter(({ at }) => at < trace.marks.lifted);
  const boundaries = all.filter((_, index) => !repeated.has(calls[index]?.run ?? 0));
  return { boundaries, pruned: all.length - boundaries.length };
}

function callsByRun({ calls, marks }: Trace): ReadonlyMap<number, readonly TracedCall[]> {
  const byRun = new Map<number, TracedCall[]>();
  for (const call of calls) {
    if (call.at >= marks.lifted) continue;
    const others = byRun.get(call.run);
    if (others === undefined) byRun.set(call.run, [call]);
    else others.push(call);
  }
  return byRun;
}

function isWrite({ verb }: TracedCall): boolean {
  return verb !== 'get' && verb !== 'list';
}

function sightOf({ verb, resource, ref, seen }: TracedCall): readonly unknown[] {
  return [verb, resource, ref.name, seen.status, versionsIn(seen.body)];
}

/** Of an object its version, of a list those of its items. */
function versionsIn(body: unknown): unknown {
  const { metadata, items } = (body ?? {}) as {
    readonly metadata?: { readonly resourceVersion?: string };
    readonly items?: readonly unknown[];
  };
  return items === undefined ? metadata?.resourceVersion : items.map(versionsIn);
}
