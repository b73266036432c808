import type { Trace, TracedAnswer } from '../../../packages/controller/testing/trace.ts';
import { callIn, editAnswer, editCalls, testLies } from './edit-trace.ts';

const of = 'message-create';

function error(status: number, message = 'no', headers: TracedAnswer['headers'] = {}): Partial<TracedAnswer> {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code: 'x', message }),
  };
}

const later = { 'retry-after': '1' };

/** The first call of this kind, with this answer. */
function answered(trace: Trace, kind: string, { status, fault }: { status: number; fault?: string }): Trace {
  const call = callIn(trace, kind);
  const seen = { status, body: { kind: 'Status' } };
  return editCalls(
    trace,
    (one) => one === call,
    (one) => ({ ...one, done: seen, seen, ...(fault !== undefined && { fault }) }),
  );
}

/** The first run, ended by this call and its answer. */
function endedBy(trace: Trace, kind: string, status: number): Trace {
  const call = callIn(trace, kind);
  const cut = editCalls(
    trace,
    ({ run, at }) => run === call.run && at > call.at,
    () => undefined,
  );
  const ended = answered(cut, kind, { status });
  return { ...ended, answers: ended.answers.filter(({ run }) => run === call.run) };
}

testLies('O9', {
  'a 404': { of, tell: (trace) => editAnswer(trace, error(404)), says: /message-changed answered 404: it is none/ },
  'a 409': { of, tell: (trace) => editAnswer(trace, error(409)), says: /none of the statuses/ },
  'a 204 with a body': { of, tell: (trace) => editAnswer(trace, { body: 'done' }), says: /it has a body/ },
  'a 200 that is no event': {
    of,
    tell: (trace) => editAnswer(trace, { status: 200, body: '{"ok":true}' }),
    says: /it is no event/,
  },
  'a 200 with an event': {
    of,
    tell: (trace) => {
      const headers = { 'ce-id': '1', 'ce-type': 't', 'ce-source': '/s', 'ce-specversion': '1.0' };
      return editAnswer(trace, { status: 200, headers });
    },
  },
  'a body that the dispatcher dies of': {
    of,
    tell: (trace) => editAnswer(endedBy(trace, 'get messages', 503), error(503, 'x'.repeat(600), later)),
    says: /its body has \d+ bytes/,
  },
  'an error that is no {code, message}': {
    of,
    tell: (trace) => editAnswer(endedBy(trace, 'get messages', 503), { ...error(503, '', later), body: '<html>' }),
    says: /its body is not \{code, message\}/,
  },
  'a 503 that does not say when to come again': {
    of,
    tell: (trace) => editAnswer(endedBy(trace, 'get messages', 503), error(503)),
    says: /does not say when to try again/,
  },
  'an honest 503': { of, tell: (trace) => editAnswer(endedBy(trace, 'get messages', 503), error(503, 'x', later)) },
  'a process that died answers nothing': { of, tell: (trace) => editAnswer(trace, { status: 0, body: '' }) },
  'what is no event is taken': {
    of,
    tell: (trace) => editAnswer(trace, { event: { id: '', type: '' } }),
    says: /so it must be refused/,
  },
  'what is no event is refused': {
    of,
    tell: (trace) => editAnswer(trace, { ...error(400), event: { id: '', type: '' } }),
  },
  'an event in order is refused': {
    of,
    tell: (trace) => editAnswer(trace, error(400)),
    says: /the event was in order, and is lost by this/,
  },
  'an event about what can be no object is refused': {
    of,
    tell: (trace) => {
      const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: '../pods' };
      return editAnswer(trace, { ...error(400), event: { id: '1', type: 'dev.knative.apiserver.resource.add', ref } });
    },
  },
  'a success after a read that failed': {
    of,
    tell: (trace) => endedBy(trace, 'get messages', 500),
    says: /answered 204: get of messages Message shop\/hello had failed/,
  },
  'a success after a write that nobody answered': {
    of,
    tell: (trace) => endedBy(trace, 'create pods', 0),
    says: /create of pods Pod shop\/msg-hello had failed/,
  },
  'a success after a conflict': {
    of,
    tell: (trace) => endedBy(trace, 'apply messages/status', 409),
    says: /apply of messages\/status Message shop\/hello had failed/,
  },
  'a success although an Event could not be told': {
    of,
    tell: (trace) => answered(trace, 'create events', { status: 500 }),
  },
  'a success after a refusal that is told': {
    of,
    tell: (trace) => answered(trace, 'create pods', { status: 403 }),
  },
  'a success after a webhook has denied the status with 409': {
    of,
    tell: (trace) => {
      const message = 'admission webhook "guard.example.com" denied the request: no';
      const seen = { status: 409, body: JSON.stringify({ kind: 'Status', message }) };
      const status = callIn(trace, 'apply messages/status');
      return editCalls(
        endedBy(trace, 'apply messages/status', 409),
        ({ at }) => at === status.at,
        (call) => ({ ...call, seen }),
      );
    },
  },
  'a success after another uid was found': {
    of,
    tell: (trace) => {
      const status = callIn(trace, 'apply messages/status');
      const seen = { status: 422, body: { kind: 'Status', details: { causes: [{ field: 'metadata.uid' }] } } };
      return editCalls(
        endedBy(trace, 'apply messages/status', 409),
        ({ at }) => at === status.at,
        (call) => ({ ...call, seen }),
      );
    },
    says: /apply of messages\/status Message shop\/hello had failed/,
  },
  'a success before the status was written': {
    of,
    tell: (trace) => {
      const status = callIn(trace, 'apply messages/status');
      return editCalls(
        trace,
        (call) => call === status,
        () => undefined,
      );
    },
    says: /Message shop\/hello was left before its status was written/,
  },
  'a success, and nobody has looked': {
    of,
    tell: (trace) =>
      editCalls(
        trace,
        ({ run }) => run === 2,
        () => undefined,
      ),
    says: /nobody has looked at the object/,
  },
  'a success of one who shared the run of another': {
    of,
    tell: (trace) =>
      editCalls(
        trace,
        ({ run }) => run === 2,
        (call) => ({ ...call, run: 1 }),
      ),
  },
  'a fault of ours that nothing explains': {
    of,
    tell: (trace) => editAnswer(trace, error(500)),
    says: /nothing that was answered to it explains a fault of ours/,
  },
  'a fault of ours that a spoilt answer explains': {
    of,
    tell: (trace) => editAnswer(answered(trace, 'get messages', { status: 200, fault: 'after garble' }), error(500)),
  },
  'a throttled run says 503': {
    of,
    tell: (trace) => editAnswer(endedBy(trace, 'get messages', 429), error(503, 'x', later)),
    says: /so it must be 429/,
  },
  'a throttled run says 429': {
    of,
    tell: (trace) => editAnswer(endedBy(trace, 'get messages', 429), error(429, 'x', later)),
  },
});
