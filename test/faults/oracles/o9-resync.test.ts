import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { callIn, editCalls, testLies } from './edit-trace.ts';

const of = 'message-create';
const list = 'list messages';

/** The first list of Messages of the resync, answered so. */
function listed(trace: Trace, seen: { status: number; body: unknown }): Trace {
  const call = callIn(trace, list);
  return editCalls(
    trace,
    (one) => one === call,
    (one) => ({ ...one, seen }),
  );
}

/** The same list again, right after it. */
function again(trace: Trace, seen: { status: number; body: unknown }, times = 1): Trace {
  const call = callIn(trace, list);
  const calls = Array.from({ length: times }, (_, index) => ({ ...call, at: call.at + (index + 1) / 1000, seen }));
  return { ...trace, calls: [...trace.calls, ...calls].sort((one, other) => one.at - other.at) };
}

const expired = { status: 410, body: { kind: 'Status' } };
const first = { status: 200, body: { kind: 'MessageList', metadata: { continue: 'more' }, items: [] } };

testLies('O9', {
  'a tick that asks after one kind only': {
    of,
    tell: (trace) => {
      const { run } = callIn(trace, list);
      return editCalls(
        trace,
        (call) => call.run === run && call.resource === 'messages',
        () => undefined,
      );
    },
    says: /resync-due answered 204: it never asked after any Message/,
  },
  'a page that is left': {
    of,
    tell: (trace) => listed(trace, first),
    says: /resync-due answered 204: it never came to the last Message/,
  },
  'a list that expired and is left': {
    of,
    tell: (trace) => listed(trace, expired),
    says: /resync-due answered 204: it never came to the last Message/,
  },
  'a list that expired and is begun again': {
    of,
    tell: (trace) => listed(again(trace, callIn(trace, list).seen), expired),
  },
});
