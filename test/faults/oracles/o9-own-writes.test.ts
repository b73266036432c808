import type { Trace, TracedAnswer } from '../../../packages/controller/testing/trace.ts';
import { testLies } from './edit-trace.ts';

const of = 'message-create';

/** The same run, with every event that no call was made for as one that carried a version of somebody else's. */
function ofOthers(trace: Trace): Trace {
  const busy = new Set(trace.calls.map(({ run }) => run));
  const edit = (one: TracedAnswer): TracedAnswer =>
    busy.has(one.run) ? one : { ...one, event: { ...one.event, version: 'uid-of-another 1' } };
  return { ...trace, answers: trace.answers.map(edit) };
}

testLies('O9', {
  'a success without a look, of an event that tells of what Knudge wrote itself': { of, tell: (trace) => trace },
  'a success without a look, of an event that tells of what another wrote': {
    of,
    tell: ofOthers,
    says: /nobody has looked at the object/,
  },
});
