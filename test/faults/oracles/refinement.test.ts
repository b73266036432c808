import { callIn, editCalls, insertCall, put, testLies } from './edit-trace.ts';

const of = 'message-create';
const isPodCreation = ({ verb, resource }: { readonly verb: string; readonly resource: string }): boolean =>
  verb === 'create' && resource === 'pods';

testLies('O4', {
  'a child is made that says something else than a decision would': {
    of,
    tell: (trace) =>
      editCalls(trace, isPodCreation, (call) => ({
        ...call,
        body: put(call.body, ['spec', 'restartPolicy'], 'Never'),
      })),
    says: /create of pods Pod shop\/msg-hello is not what a decision wants of what was read: create of Pod/,
  },
  'a child is made with an image that nobody gave': {
    of,
    tell: (trace) =>
      editCalls(trace, isPodCreation, (call) => ({
        ...call,
        body: put(call.body, ['spec', 'containers', 0, 'image'], 'busybox:older'),
      })),
    says: /create of pods Pod shop\/msg-hello is not what a decision wants of what was read: create of Pod/,
  },
  'a status says something else than a decision would': {
    of,
    tell: (trace) => {
      const told = callIn(trace, 'apply messages/status');
      const isIt = (call: typeof told): boolean => call === told;
      return editCalls(trace, isIt, (call) => ({ ...call, body: put(call.body, ['status', 'phase'], 'Failed') }));
    },
    says: /apply of messages\/status Message shop\/hello is not what a decision wants of what was read: status/,
  },
  'a status has another time': {
    of,
    tell: (trace) => {
      const told = callIn(trace, 'apply messages/status');
      const isIt = (call: typeof told): boolean => call === told;
      const time = '2020-01-01T00:00:00Z';
      return editCalls(trace, isIt, (call) => ({ ...call, body: put(call.body, ['status', 'lastReconciled'], time) }));
    },
  },
  'a write is left out, and the next one follows': {
    of: 'create-tcp',
    tell: (trace) =>
      editCalls(
        trace,
        (call) => call === callIn(trace, 'create configmaps'),
        () => undefined,
      ),
    says: /is not what a decision wants of what was read: create of ConfigMap shop\/frp-web-endpoints/,
  },
  'something is written that nobody wants': {
    of,
    tell: (trace) => {
      const { at, ...create } = callIn(trace, 'create pods');
      const { at: told } = callIn(trace, 'apply messages/status');
      const body = { preconditions: { uid: 'a', resourceVersion: '1' }, propagationPolicy: 'Background' };
      return insertCall(trace, { ...create, verb: 'delete', body, at: (at + told) / 2 });
    },
    says: /delete of pods Pod shop\/msg-hello is not what a decision wants of what was read: status/,
  },
});
