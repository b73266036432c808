import type { Oracle, Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { hasSucceeded } from './accessors.ts';
import { lastRead, type Pass, passesOf } from './passes.ts';

/**
 * O12: what a run has done to a Pod that somebody may miss is reported to people: it deleted the Pod of a Message, and says so, once. A run
 * that died, or that learned nothing of its deletion, owes nothing.
 */
export const reports: Oracle = (trace) => {
  const { found, say } = findings('O12');
  for (const pass of passesOf(trace)) {
    for (const { call, role } of pass.steps) {
      if (role !== 'pod' || call.verb !== 'delete' || !hasSucceeded(call) || !isOwed(pass, trace)) continue;
      const times = reportsOf(call, pass, trace).length;
      if (times !== 1) say(`${nameOf(call.ref)} was replaced, which was reported ${String(times)} times`, call.at);
    }
  }
  return found;
};

function isOwed(pass: Pass, { answers }: Trace): boolean {
  return answers.some(({ run, status }) => run === pass.run && status !== 0) && lastRead(pass, 'owner').read;
}

/** Whether or not they came: an Event that is lost is nobody's fault. */
function reportsOf({ at, run, ref }: TracedCall, { parent }: Pass, { calls }: Trace): readonly TracedCall[] {
  return calls.filter(
    (call) =>
      call.run === run &&
      call.at > at &&
      call.resource === 'events' &&
      pick(call.body, 'reason') === 'PodReplaced' &&
      pick(call.body, 'regarding', 'name') === parent.name &&
      String(pick(call.body, 'note')).includes(nameOf(ref)),
  );
}
