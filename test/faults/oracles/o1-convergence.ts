import { describe, type KubeObject, type ObjectRef, refOf } from '../../../src/domain/kube-object.ts';
import { targetOf } from '../../../src/domain/plan.ts';
import type { Oracle, Trace } from '../trace.ts';
import { byRuns, findings, isRead, isRefused, keyOf, parentsIn } from './accessors.ts';
import { differencesOf } from './differences.ts';
import type { OraclesWith } from './inspection.ts';
import { wantedFor } from './wanted.ts';

/**
 * O1: at the end a decision on what is there wants nothing more for any parent, and all is as it was when it came to rest.
 * What the API server itself refuses, without any fault, may be wanted for ever. Of a run without faults, which is
 * compared with itself, the resync finds nothing to do: every change had woken whom it concerns.
 */
export function convergence(parts: OraclesWith): Oracle {
  return (trace, clean) => {
    const { found, say } = findings('O1');
    for (const parent of parentsIn(trace.objects)) {
      for (const owed of owedTo(parent, trace, parts)) say(`${describe(refOf(parent))} is not done: ${owed}`);
    }
    for (const difference of differencesOf(trace, { of: trace.resting, to: trace.objects })) {
      say(`what was at rest did not stay so: ${difference}`);
    }
    if (trace === clean) for (const { what, at } of unheardIn(trace)) say(what, at);
    return found;
  };
}

interface Unheard {
  readonly what: string;
  readonly at: number;
}

/** What the healing resync had still to write. A deletion that takes too long is told of by the clock, not by an event. */
function unheardIn({ changes, marks }: Trace): readonly Unheard[] {
  return byRuns(changes)
    .filter(({ at }) => at > marks.lifted && at < marks.rest)
    .filter(({ object }) => object.kind !== 'Event' && object.metadata.deletionTimestamp === undefined)
    .map(({ at, type, object }) => ({
      what: `${describe(refOf(object))} was ${type} by the resync alone: an event woke nobody`,
      at,
    }));
}

function owedTo(parent: KubeObject, trace: Trace, parts: OraclesWith): readonly string[] {
  try {
    const { writes = [] } = wantedFor(parent, trace.objects, { ...parts, now: trace.now }) ?? {};
    const refused = writes.findIndex((write) => isHopeless(targetOf(write, refOf(parent)), trace));
    return (refused < 0 ? writes : writes.slice(0, refused)).map(
      (write) => `${write.do} of ${describe(targetOf(write, refOf(parent)))} is owed`,
    );
  } catch (error) {
    return [`no decision can be made: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** The last write to it was refused by the API server, and no fault had a hand in it. */
function isHopeless(ref: ObjectRef, { calls }: Trace): boolean {
  const last = calls.findLast((call) => !isRead(call) && keyOf(call.ref) === keyOf(ref));
  return last !== undefined && last.fault === undefined && isRefused(last, last.done);
}
