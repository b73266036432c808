import type { Boundary } from '../../../packages/controller/testing/kinds/boundaries.ts';
import { isWrite } from '../../../packages/controller/testing/kinds/kind.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { boundariesOf } from './enumerate.ts';

/**
 * The boundaries without those of runs that wrote nothing and saw, call for call, what an earlier run saw: a fault there
 * reaches no state of handler and cluster that the same fault in the earlier run does not reach. The numbers of the rest
 * still count them.
 */
export function distinctBoundaries(trace: Pick<Trace, 'calls' | 'marks'>): readonly Boundary[] {
  const idle = idleRuns(trace);
  const inTime = trace.calls.filter(({ at }) => at < trace.marks.lifted);
  return boundariesOf(trace).filter((_, index) => !idle.has(inTime[index]?.run ?? -1));
}

function idleRuns({ calls, marks }: Pick<Trace, 'calls' | 'marks'>): ReadonlySet<number> {
  const inTime = calls.filter(({ at }) => at < marks.lifted);
  const known = new Set<string>();
  const idle = new Set<number>();
  for (const [run, own] of Map.groupBy(inTime, (call) => call.run)) {
    if (own.some(isWrite)) continue;
    const saw = JSON.stringify(own.map(whatItSaw));
    if (known.has(saw)) idle.add(run);
    known.add(saw);
  }
  return idle;
}

interface Body {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items?: readonly { readonly metadata: { readonly resourceVersion?: string } }[];
}

function whatItSaw({ verb, resource, ref, query, seen }: TracedCall): unknown {
  return [verb, resource, ref.namespace, ref.name, query, versionsIn(seen)];
}

/** What an answer said, by versions; of a list its objects': its own moves with every write anywhere. */
export function versionsIn({ status, body }: TracedCall['done']): unknown {
  const { metadata, items } = (body ?? {}) as Body;
  return [status, items?.map((item) => item.metadata.resourceVersion) ?? metadata?.resourceVersion];
}
