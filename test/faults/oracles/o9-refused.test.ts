import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { callIn, editAnswer, editCalls, testLies } from './edit-trace.ts';

const of = 'message-create';

/** The run ends with its Pod, of which the API server says that, and tells the Broker to come again. */
function turnedAway(trace: Trace, code: string, message = ''): Trace {
  const { run, at } = callIn(trace, 'create pods');
  const seen = { status: 403, body: { kind: 'Status', message } };
  const cut = editCalls(
    trace,
    (call) => call.run === run && call.at >= at,
    (call) => (call.at === at ? { ...call, done: seen, seen } : undefined),
  );
  const headers = { 'content-type': 'application/json', 'retry-after': '1' };
  const alone = { ...cut, answers: cut.answers.filter((answer) => answer.run === run) };
  return editAnswer(alone, { status: 503, headers, body: JSON.stringify({ code, message: 'no' }) });
}

testLies('O9', {
  'what was refused for good is to come again': {
    of,
    tell: (trace) => turnedAway(trace, 'admission-denied'),
    says: /answered 503: all that had failed was refused for good/,
  },
  'what was refused for good is to come again, for the parent had changed meanwhile': {
    of,
    tell: (trace) => turnedAway(trace, 'conflict'),
  },
  'what the API server is not ready for yet is to come again': {
    of,
    tell: (trace) => turnedAway(trace, 'unavailable', 'error looking up service account shop/default'),
  },
});
