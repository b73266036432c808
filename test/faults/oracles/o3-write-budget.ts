import type { Oracle, Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf } from '../../../packages/controller/testing/trace-words.ts';
import { isNotice, isOfOrphan, isOk, isParent, isRead, isRefused } from './accessors.ts';
import { countsOf, none } from './counts.ts';
import { freeingRuns } from './freed.ts';
import { type History, historyOf } from './history.ts';
import { passesOf, writesOf } from './passes.ts';
import { remadeIn } from './remade.ts';

/**
 * O3: once all is at rest nothing is written any more, but that what was let go is taken away after its minute; no object is made or deleted more often than without faults; and a
 * status that says nothing new is never written alone; and what an update would do for is not deleted. A creation or deletion more is right only where somebody else
 * made it so.
 */
export const writeBudget: Oracle = (trace, clean) => {
  const { found, say } = findings('O3');
  const isFreeing = freeingIn(trace);
  for (const call of trace.calls.filter((one) => !isFreeing(one))) {
    if (call.at <= trace.marks.rest || isRead(call) || isRefused(call, call.done)) continue;
    if (isOfOrphan(call.body) && call.done.status === 409) continue;
    say(`${call.verb} of ${call.resource} ${nameOf(call.ref)} although all was at rest`, call.at);
  }
  const history = historyOf(trace);
  for (const { name, at } of idleStatuses(trace, history))
    say(`the status of ${name} was written and is as before`, at);
  for (const { what, at } of remadeIn(trace)) say(what, at);
  if (clean !== undefined) for (const what of recounted(trace, clean)) say(what);
  return found;
};

/** Whether a call takes away what was let go a minute ago, or reports that in a status. */
function freeingIn(trace: Trace): (call: TracedCall) => boolean {
  const runs = freeingRuns(trace);
  return ({ run, resource }) => runs.has(run) && (resource === 'claims' || resource.endsWith('/status'));
}

/** After a write of a child the status is written in any case: that it is taken proves the owner unchanged (R3). */
function idleStatuses(trace: Trace, history: History): readonly { readonly name: string; readonly at: number }[] {
  return passesOf(trace).flatMap((pass) => {
    const status = writesOf(pass)[0]?.call;
    if (status === undefined || !status.resource.endsWith('/status') || !isOk(status.done.status)) return [];
    // An authority or a workload is of no parent's pass, and counts all the same.
    const from = pass.steps[0]?.call.at ?? 0;
    const isFirst = !trace.calls.some(
      (call) => call.run === pass.run && call.at > from && call.at < status.at && !isRead(call) && !isNotice(call),
    );
    if (!isFirst || history.madeBy(status).length > 0) return [];
    return [{ name: nameOf(status.ref), at: status.at }];
  });
}

function recounted(trace: Trace, clean: Trace): readonly string[] {
  const [mine, theirs] = [countsOf(trace), countsOf(clean)];
  const misled = readsOfPastParents(trace);
  const hidden = spoiltListsOfClaims(trace);
  return [...mine].flatMap(([key, here]) => {
    const there = theirs.get(key) ?? none;
    const allowed =
      misled +
      (key.startsWith('frp.io/Claim/') ? hidden : 0) +
      Math.max(0, here.disturbed - there.disturbed) +
      Math.max(0, Math.min(here.wished, there.wished) - 1);
    const told = (what: string, one: number, other: number): string[] =>
      one > other + allowed
        ? [`${key} was ${what} ${String(one)} times, and ${String(other)} times without faults`]
        : [];
    return [
      ...told('made', here.added, there.added),
      ...told('deleted', here.deleted, there.deleted + there.collected),
    ];
  });
}

/** No API server answers with the past of a parent. Where a test makes it up, each may make a child once more of one that is going. */
function readsOfPastParents({ calls }: Trace): number {
  return calls.filter(({ fault = '', ref }) => fault.includes('stale') && isParent(ref)).length;
}

/** Nor does one leave out Claims that are there. Where a test has a list do so, a service may take a Claim, see the rival and step back, once for each. */
function spoiltListsOfClaims({ calls }: Trace): number {
  return calls.filter(({ verb, resource, fault }) => verb === 'list' && resource === 'claims' && fault !== undefined)
    .length;
}
