import type { Oracle, Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { hasSucceeded, keyOf } from './accessors.ts';
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
      const times = reportsOf(call, pass, trace).size;
      if (times !== 1) say(`${nameOf(call.ref)} was replaced, which was reported ${String(times)} times`, call.at);
    }
  }
  return found;
};

function isOwed(pass: Pass, { answers }: Trace): boolean {
  return answers.some(({ run, status }) => run === pass.run && status !== 0) && lastRead(pass, 'owner').read;
}

/**
 * The names of the Events that say so, until the same run replaces it again. Whether they came does not matter: an Event that is lost is
 * nobody's fault, and what is sent again under the same name is one Event.
 */
function reportsOf({ at, run, ref }: TracedCall, { parent }: Pass, { calls }: Trace): ReadonlySet<unknown> {
  const later = calls.filter((call) => call.run === run && call.at > at);
  const again = later.findIndex((call) => call.verb === 'delete' && keyOf(call.ref) === keyOf(ref));
  const until = again === -1 ? later : later.slice(0, again);
  const told = until.filter(
    ({ resource, body }) =>
      resource === 'events' &&
      pick(body, 'reason') === 'PodReplaced' &&
      pick(body, 'regarding', 'name') === parent.name &&
      String(pick(body, 'note')).includes(nameOf(ref)),
  );
  return new Set(told.map(({ body }) => pick(body, 'metadata', 'name')));
}
