import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { callIn, insertCall, testLies } from './edit-trace.ts';

const of = 'message-create';

/** Before the Pod is made, an authority is made, which another one had made already. */
function withTakenAuthority(trace: Trace): Trace {
  const create = callIn(trace, 'create pods');
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'frp-default-ca' };
  const seen = { status: 409, body: { kind: 'Status', reason: 'AlreadyExists' } };
  return insertCall(trace, { ...create, resource: 'secrets', ref, seen, done: seen, at: create.at - 0.2 });
}

testLies('O9', {
  'a success although an authority could not be made': {
    of,
    tell: withTakenAuthority,
    says: /create of secrets Secret shop\/frp-default-ca had failed/,
  },
  'a success after an authority could not be made, and the parent that needed it was read again': {
    of,
    tell: (trace) => {
      const [parent, create] = [callIn(trace, 'get messages'), callIn(trace, 'create pods')];
      return insertCall(withTakenAuthority(trace), { ...parent, run: create.run, at: create.at - 0.1 });
    },
  },
});
