import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { editCalls, testLies } from './edit-trace.ts';

const of = 'change-text';

function isReport({ resource, body }: TracedCall): boolean {
  return resource === 'events' && pick(body, 'reason') === 'PodReplaced';
}

/** As if the run that replaced the Pod had died there. */
function died(trace: Trace): Trace {
  const replaced = trace.calls.find(({ verb, resource }) => verb === 'delete' && resource === 'pods');
  const answers = trace.answers.map((one) => (one.run === replaced?.run ? { ...one, status: 0 } : one));
  return { ...trace, answers };
}

/** After each report another one, made of it. */
function withMore(trace: Trace, make: (call: TracedCall) => TracedCall): Trace {
  const more = trace.calls.filter(isReport).map((call) => ({ ...make(call), at: call.at + 0.5 }));
  return { ...trace, calls: [...trace.calls, ...more].sort((one, other) => one.at - other.at) };
}

testLies('O12', {
  'a Pod is replaced, and nobody reports it': {
    of,
    tell: (trace) => editCalls(trace, isReport, () => undefined),
    says: /Pod shop\/msg-hello was replaced, which was reported 0 times/,
  },
  'a Pod is replaced, and reported twice': {
    of,
    tell: (trace) => {
      const other = (call: TracedCall) => ({ ...Object(call.body), metadata: { name: 'hello.another' } });
      return withMore(trace, (call) => ({ ...call, body: other(call) }));
    },
    says: /which was reported 2 times/,
  },
  'the API server had no time for the report, which is sent again': {
    of,
    tell: (trace) => withMore(trace, (call) => call),
  },
  'the report is about another Message': {
    of,
    tell: (trace) =>
      editCalls(trace, isReport, (call) => ({
        ...call,
        body: { reason: 'PodReplaced', regarding: { name: 'other' } },
      })),
    says: /which was reported 0 times/,
  },
  'the run that replaced it died before it reported it': {
    of,
    tell: (trace) => died(editCalls(trace, isReport, () => undefined)),
  },
  'the report came, and the API server did not take it': {
    of,
    tell: (trace) => editCalls(trace, isReport, (call) => ({ ...call, seen: { status: 500, body: '' } })),
  },
});
