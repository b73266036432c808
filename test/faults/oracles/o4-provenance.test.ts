import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { callIn, editCalls, insertCall, put, testLies } from './edit-trace.ts';

const message = 'message-create';
const failed = { status: 409, body: { kind: 'Status' } };

function first(trace: Trace, edit: (call: TracedCall) => TracedCall | undefined, of: Parameters<typeof callIn>): Trace {
  const call = callIn(...of);
  return editCalls(trace, (one) => one === call, edit);
}

/** A child is made from a later version of the owner than that from which it is written next. */
function fromOlderOwner(trace: Trace): Trace {
  const versions = trace.changes.filter(({ object }) => object.kind === 'DistributedService');
  const write = callIn(trace, 'apply configmaps', 'frp-web-endpoints');
  const answer = (index: number) => ({ status: 200, body: versions.at(index)?.object });
  return editCalls(
    trace,
    ({ verb, ref, at }) => verb === 'get' && ref.kind === 'DistributedService' && at < write.at,
    (call) => {
      const seen = answer(call.run === write.run ? 0 : 1);
      return { ...call, seen, done: seen };
    },
  );
}

testLies('O4', {
  'R1: a child is written that was not read': {
    of: message,
    tell: (trace) => first(trace, () => undefined, [trace, 'get pods']),
    says: /Pod shop\/msg-hello was written without having been read \(R1\)/,
  },
  'R1: the owner is never read': {
    of: message,
    tell: (trace) => first(trace, () => undefined, [trace, 'get messages']),
    says: /without its owner having been read after it \(R1\)/,
  },
  'R1: the owner is read first': {
    of: message,
    tell: (trace) => first(trace, (call) => ({ ...call, at: 2.5 }), [trace, 'get messages']),
    says: /without its owner having been read after it \(R1\)/,
  },
  'R1: a read may come from an old cache': {
    of: message,
    tell: (trace) => first(trace, (call) => ({ ...call, query: { resourceVersion: '0' } }), [trace, 'get messages']),
    says: /was read with a resourceVersion/,
  },
  'R2: a status without the uid': {
    of: message,
    tell: (trace) =>
      first(trace, (call) => put(call, ['body', 'metadata', 'uid'], undefined), [trace, 'apply messages/status']),
    says: /was written by apply without a uid \(R2\)/,
  },
  'R2: a status without the resourceVersion': {
    of: message,
    tell: (trace) => {
      const path = ['body', 'metadata', 'resourceVersion'];
      return first(trace, (call) => put(call, path, undefined), [trace, 'apply messages/status']);
    },
    says: /without a resourceVersion \(R2\)/,
  },
  'R2: a deletion without preconditions': {
    of: 'delete-running',
    tell: (trace) =>
      first(trace, (call) => put(call, ['body', 'preconditions'], {}), [trace, 'delete secrets', 'frp-web-tls']),
    says: /Secret shop\/frp-web-tls was written by delete without a uid/,
  },
  'R2: a write over another version than was read': {
    of: message,
    tell: (trace) => {
      const path = ['body', 'metadata', 'resourceVersion'];
      return first(trace, (call) => put(call, path, '1'), [trace, 'apply messages/status']);
    },
    says: /over another version than was read/,
  },
  'R2: an apply over what was posted': {
    of: 'create-with-workload',
    tell: (trace) => {
      const manager = { manager: 'knudge', operation: 'Update' };
      const own = callIn(trace, 'patch-json configmaps');
      const { resourceVersion } = (own.seen.body as KubeObject).metadata;
      const untaken = editCalls(
        trace,
        (call) => call === own,
        () => undefined,
      );
      return editCalls(
        untaken,
        ({ run, verb, resource }) => run === own.run && verb === 'list' && resource === 'configmaps',
        (call) => {
          const { items = [] } = call.seen.body as { readonly items?: readonly KubeObject[] };
          const posted = items.map((item) =>
            item.metadata.name === own.ref.name
              ? { ...item, metadata: { ...item.metadata, managedFields: [manager], resourceVersion } }
              : item,
          );
          return { ...call, seen: { ...call.seen, body: put(call.seen.body, ['items'], posted) } };
        },
      );
    },
    says: /was applied over before what was posted of it was made applied/,
  },
  'R2: an apply where nothing was': {
    of: message,
    tell: (trace) => {
      const metadata = { uid: 'u', resourceVersion: '1' };
      return first(trace, (call) => ({ ...call, verb: 'apply', body: { metadata } }), [trace, 'create pods']);
    },
    says: /written by apply although it was not there/,
  },
  'R2: a creation where something was': {
    of: message,
    tell: (trace) => {
      const pod = { status: 200, body: trace.resting.find(({ kind }) => kind === 'Pod') };
      return first(trace, (call) => ({ ...call, seen: pod, done: pod }), [trace, 'get pods']);
    },
    says: /was created although it was there/,
  },
  'R2: a workload scaled without a test of its version': {
    of: 'create-with-workload',
    tell: (trace) => first(trace, (call) => ({ ...call, body: [] }), [trace, 'patch-json deployments/scale']),
    says: /Deployment shop\/app was written by patch-json without a uid/,
  },
  'R2: on it goes after a conflict': {
    of: message,
    tell: (trace) => first(trace, (call) => ({ ...call, seen: failed, done: failed }), [trace, 'create pods']),
    says: /was written after a write that failed/,
  },
  'R3: a child is written after the status': {
    of: message,
    tell: (trace) => first(trace, (call) => ({ ...call, at: 7.5 }), [trace, 'create pods']),
    says: /Pod shop\/msg-hello was written after the status \(R3\)/,
  },
  'R3: the run goes on without a status': {
    of: message,
    tell: (trace) => {
      const bare = first(trace, () => undefined, [trace, 'apply messages/status']);
      return editCalls(
        bare,
        ({ run }) => run === 14,
        (call) => ({ ...call, run: 2 }),
      );
    },
    says: /was not written after its children were \(R3\)/,
  },
  'a throttled write is sent again': {
    of: message,
    tell: (trace) => {
      const throttled = { status: 429, body: {} };
      return insertCall(trace, { ...callIn(trace, 'create pods'), at: 4.5, done: throttled, seen: throttled });
    },
  },
  'a child is written from an older owner than before': {
    of: 'create-with-workload',
    tell: fromOlderOwner,
    says: /ConfigMap shop\/frp-web-endpoints was written from an older frp\.io\/DistributedService\/shop\/web than before/,
  },
  'nobody is blamed for old answers that a fault gave': {
    of: 'create-with-workload',
    tell: (trace) => ({ ...editCalls(fromOlderOwner(trace), isWriteToOwner, () => undefined), staleReads: true }),
    // That it does not go with what was written then is another matter.
    says: /^(?!.*from an older)/s,
  },
});

/** They carry the version that was read really. */
function isWriteToOwner({ verb, ref }: TracedCall): boolean {
  return verb !== 'get' && ref.kind === 'DistributedService';
}
