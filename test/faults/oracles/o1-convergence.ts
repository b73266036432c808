import { describe, type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { targetOf } from '../../../packages/controller/domain/plan.ts';
import type { Oracle, Trace, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { findings, pick } from '../../../packages/controller/testing/trace-words.ts';
import { byRuns, isParent, isRead, isRefused, keyOf, parentsIn } from './accessors.ts';
import { differencesOf } from './differences.ts';
import { isLetGo } from './freed.ts';
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
    const stays = trace.resting.filter((one) => !hasBeenFreed(one, trace));
    for (const difference of differencesOf(trace, { of: stays, to: trace.objects })) {
      say(`what was at rest did not stay so: ${difference}`);
    }
    for (const claim of trace.objects.filter((one) => isKeptTooLong(one, trace)))
      say(`${describe(refOf(claim))} was let go, and is kept although resyncs came after its minute`);
    if (trace === clean) for (const { what, at } of unheardIn(trace)) say(what, at);
    return found;
  };
}

/** What was let go is kept a minute: where all came to rest in that minute, the resync after it takes the Claim away. */
function hasBeenFreed(claim: KubeObject, { objects }: Trace): boolean {
  return isLetGo(claim) && !objects.some((one) => one.kind === 'Claim' && one.metadata.name === claim.metadata.name);
}

/** Two resyncs after all had come to rest, what services that live have let go is free. */
function isKeptTooLong(claim: KubeObject, { objects, now }: Trace): boolean {
  if (!isLetGo(claim)) return false;
  const services = pick(claim, 'spec', 'services');
  const uids = (Array.isArray(services) ? services : []).map((one) => pick(one, 'uid'));
  const lives = parentsIn(objects).some(
    (parent) => uids.includes(parent.metadata.uid) && pick(parent, 'status', 'state') === 'Running',
  );
  return lives && now - Date.parse(String(pick(claim, 'spec', 'since'))) > keptMs;
}

/** A minute, and the time from one resync to the next. */
const keptMs = 6 * 60_000;

interface Unheard {
  readonly what: string;
  readonly at: number;
}

/** What the healing resync had still to write. Of a deletion that takes too long, and of a Claim that was kept for long enough, the clock decides and no event. */
function unheardIn({ changes, marks }: Trace): readonly Unheard[] {
  const ours = byRuns(changes);
  const freesClaim = ({ object, type }: TracedChange): boolean => object.kind === 'Claim' && type === 'DELETED';
  const freeing = new Set(ours.filter(freesClaim).map(({ by }) => by.run));
  return (
    ours
      .filter(({ at }) => at > marks.lifted && at < marks.rest)
      .filter(({ object }) => object.kind !== 'Event' && object.metadata.deletionTimestamp === undefined)
      // The status ends with the time of every write.
      .filter((change) => !freesClaim(change) && !(isParent(change.object) && freeing.has(change.by.run)))
      .map(({ at, type, object }) => ({
        what: `${describe(refOf(object))} was ${type} by the resync alone: an event woke nobody`,
        at,
      }))
  );
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
