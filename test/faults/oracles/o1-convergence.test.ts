import type { Trace, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { callIn, insertCall, insertChange, put, testLies } from './edit-trace.ts';

const isPod = ({ kind }: { readonly kind: string }): boolean => kind === 'Pod';
const withoutPod = (trace: Trace): Trace => ({
  ...trace,
  objects: trace.objects.filter((object) => !isPod(object)),
  resting: trace.resting.filter((object) => !isPod(object)),
});

/** One more change by a run, that of its Pod's creation, made somewhere between the faults and the rest. */
function withLateChange(trace: Trace, edit: Partial<TracedChange> = {}, metadata: object = {}): Trace {
  const change = trace.changes.find(({ by, object }) => by.who === 'run' && isPod(object));
  if (change === undefined) throw new Error('no Pod was made');
  const object = { ...change.object, metadata: { ...change.object.metadata, ...metadata } };
  return insertChange(trace, { ...change, type: 'MODIFIED', object, at: trace.marks.lifted + 0.5, ...edit });
}

testLies('O1', {
  'nothing was broken, and only the resync had something done': {
    of: 'message-create',
    tell: withLateChange,
    ofItself: true,
    says: /Pod shop\/msg-hello was MODIFIED by the resync alone/,
  },
  'only the resync had something done, but the run is not compared with itself': {
    of: 'message-create',
    tell: withLateChange,
  },
  'the cluster wrote when the resync was at work': {
    of: 'message-create',
    tell: (trace) => withLateChange(trace, { by: { who: 'cluster' } }),
    ofItself: true,
  },
  'the resync told of a deletion that takes its time': {
    of: 'message-create',
    tell: (trace) => withLateChange(trace, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ofItself: true,
  },
  'a child is missing at the end': {
    of: 'message-create',
    tell: withoutPod,
    says: /create of Pod shop\/msg-hello is owed/,
  },
  'a child is missing because the API server itself refuses it': {
    of: 'message-create',
    tell: (trace) =>
      insertCall(withoutPod(trace), { ...callIn(trace, 'create pods'), at: 29.5, done: { status: 403, body: {} } }),
  },
  'a child is missing because a fault refused it': {
    of: 'message-create',
    tell: (trace) => {
      const call = { ...callIn(trace, 'create pods'), at: 29.5, done: { status: 403, body: {} } };
      return insertCall(withoutPod(trace), { ...call, fault: 'before answer' });
    },
    says: /create of Pod/,
  },
  'the status says something else than a decision would': {
    of: 'message-create',
    tell: (trace) => {
      const change = (objects: Trace['objects']) =>
        objects.map((object) => (object.kind === 'Message' ? put(object, ['status', 'phase'], 'Failed') : object));
      return { ...trace, objects: change(trace.objects), resting: change(trace.resting) };
    },
    says: /status of Message shop\/hello is owed/,
  },
  'a certificate is due': {
    of: 'create-generated-mtls',
    tell: (trace) => ({ ...trace, now: trace.now + 6 * 86_400_000 }),
    says: /apply of Secret shop\/frp-web-tls is owed/,
  },
  'no decision can be made at all': {
    of: 'create-manual',
    tell: (trace) => ({
      ...trace,
      objects: trace.objects.map((object) =>
        object.kind === 'DistributedService' ? put(object, ['metadata', 'finalizers'], 5) : object,
      ),
    }),
    says: /no decision can be made/,
  },
  'all was at rest, and then it was not': {
    of: 'message-create',
    tell: (trace) => ({ ...trace, resting: trace.resting.filter((object) => !isPod(object)) }),
    says: /did not stay so: Pod .* should not be/,
  },
});
