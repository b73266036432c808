import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { callIn, editAnswer, editCalls, insertCall, testLies } from './edit-trace.ts';

const of = 'message-create';

/** The calls of the first pass this many times over, each time a little later. */
function repeated(trace: Trace, times: number, edit: (call: TracedCall) => TracedCall = (call) => call): Trace {
  const pass = trace.calls.filter(({ run, resource }) => run === 2 && resource !== 'events');
  const more = Array.from({ length: times }, (_, index) =>
    pass.map((call) => edit({ ...call, at: 7 + (index + 1) / 100 + call.at / 10_000 })),
  );
  return { ...trace, calls: [...trace.calls, ...more.flat()].sort((one, other) => one.at - other.at) };
}

/** One call again and again, with that answer. */
function tried(trace: Trace, kind: string, { status, times }: { status: number; times: number }): Trace {
  const call = callIn(trace, kind);
  const seen = { status, body: {} };
  const again = (index: number): TracedCall => ({ ...call, at: call.at - 0.5 + index / 100, done: seen, seen });
  return Array.from({ length: times }, (_, index) => again(index)).reduce(insertCall, trace);
}

testLies('O10', {
  'an answer comes long after the deadline': {
    of,
    tell: (trace) => editAnswer(trace, { ms: 11_000 }),
    says: /message-changed answered after 11000 ms/,
  },
  'an answer comes at the deadline': { of, tell: (trace) => editAnswer(trace, { ms: 9_010 }) },
  'a parent is gone through more than eight times': {
    of,
    tell: (trace) => repeated(trace, 8),
    says: /Message shop\/hello was gone through 9 times/,
  },
  'a parent is gone through eight times': { of, tell: (trace) => repeated(trace, 7) },
  'a parent is begun anew more than three times': {
    of,
    tell: (trace) => {
      const conflict = { status: 409, body: {} };
      const fail = (call: TracedCall): TracedCall => (call.verb === 'apply' ? { ...call, seen: conflict } : call);
      return repeated(trace, 5, fail);
    },
    says: /was begun anew 4 times/,
  },
  'one pass takes more calls than there is to read and write': {
    of,
    tell: (trace) => tried(trace, 'get pods', { status: 200, times: 60 }),
    says: /took \d+ calls in one pass/,
  },
  'one run reads more than its budget': {
    of,
    tell: (trace) => tried(trace, 'get pods', { status: 200, times: 200 }),
    says: /a run took \d+ reads, and its budget was 14[0-9]/,
  },
  'one run writes more than its budget': {
    of,
    tell: (trace) => tried(trace, 'create pods', { status: 201, times: 20 }),
    says: /a run took \d+ writes, and its budget was 6/,
  },
  'Events for people are in no budget': {
    of,
    tell: (trace) => tried(trace, 'create events', { status: 201, times: 20 }),
  },
  'two parents of one run make what both need, each its own': {
    of,
    tell: (trace) => {
      const create = callIn(trace, 'create pods');
      const seen = { status: 0, body: {} };
      return insertCall(trace, { ...create, body: { data: 'of another' }, at: create.at - 0.1, done: seen, seen });
    },
  },
  'a write is sent again although the first may have arrived': {
    of,
    tell: (trace) => tried(trace, 'create pods', { status: 0, times: 1 }),
    says: /create of Pod shop\/msg-hello was sent again although the first may have arrived/,
  },
  'a write that arrives late, after a newer one that had no answer': {
    of,
    tell: (trace) => {
      const create = callIn(trace, 'create pods');
      const seen = { status: 0, body: {} };
      const unanswered = editCalls(
        trace,
        (call) => call === create,
        (call) => ({ ...call, seen }),
      );
      return insertCall(unanswered, { ...create, at: create.at + 0.1, fault: 'before delay', seen });
    },
  },
  'a read is sent again': { of, tell: (trace) => tried(trace, 'get pods', { status: 503, times: 1 }) },
  'a write is sent again when what is true was read': {
    of,
    tell: (trace) => {
      const lost = tried(trace, 'create pods', { status: 503, times: 1 });
      return insertCall(lost, { ...callIn(trace, 'get pods'), at: 4.7 });
    },
  },
  'a throttled call goes on and on': {
    of,
    tell: (trace) => tried(trace, 'get pods', { status: 429, times: 5 }),
    says: /get of Pod shop\/msg-hello was throttled and went on/,
  },
  'a throttled call waits its turn': { of, tell: (trace) => tried(trace, 'get pods', { status: 429, times: 3 }) },
  'a call that is not let in goes on and on': {
    of,
    tell: (trace) => tried(trace, 'get pods', { status: 401, times: 3 }),
    says: /was not let in and went on/,
  },
  'what was refused for good is tried again and again': {
    of,
    tell: (trace) => tried(trace, 'create pods', { status: 403, times: 3 }),
    says: /create of Pod shop\/msg-hello was refused 3 times in one run/,
  },
  'what was refused for good is asked for anew after a restart': {
    of,
    tell: (trace) => {
      const refused = tried(trace, 'create pods', { status: 403, times: 3 });
      const status = callIn(refused, 'apply messages/status');
      const seen = { status: 409, body: {} };
      return insertCall(refused, { ...status, seen, done: seen, at: status.at - 0.1 });
    },
  },
  'a list without pages': {
    of,
    tell: (trace) =>
      editCalls(
        trace,
        ({ verb }) => verb === 'list',
        (call) => ({ ...call, query: {} }),
      ),
    says: /messages were listed without pages/,
  },
  'one event makes another, and so on': {
    of,
    tell: (trace) => {
      const last = trace.answers.slice(-1);
      const more = Array.from({ length: 10 }, () => last).flat();
      return { ...trace, answers: [...trace.answers, ...more] };
    },
    says: /14 events were answered at rest, and 8 are enough/,
  },
});
