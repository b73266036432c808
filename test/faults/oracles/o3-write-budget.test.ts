import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { callIn, editChanges, insertCall, insertChange, testLies } from './edit-trace.ts';

function podIn(trace: Trace) {
  const change = trace.changes.find(({ type, object }) => type === 'ADDED' && object.kind === 'Pod');
  if (change === undefined) throw new Error('no Pod was made');
  return change;
}

/** Made, deleted and made again; by whom it was deleted, and how often it was made, is what matters. */
function madeTwice(trace: Trace, deletedBy: 'run' | 'user' | 'cluster'): Trace {
  const made = podIn(trace);
  const by = deletedBy === 'run' ? made.by : ({ who: deletedBy } as const);
  const gone = { ...made, at: 6.1, by, type: 'DELETED', before: made.object } as const;
  return insertChange(insertChange(trace, gone), { ...made, at: 6.2 });
}

testLies('O3', {
  'something is written although all is at rest': {
    of: 'message-create',
    tell: (trace) => insertCall(trace, { ...callIn(trace, 'apply messages/status'), at: trace.marks.rest + 0.5 }),
    says: /apply of messages\/status Message shop\/hello although all was at rest/,
  },
  'an Event is told although all is at rest': {
    of: 'message-create',
    tell: (trace) => insertCall(trace, { ...callIn(trace, 'create events'), at: trace.marks.end - 0.5 }),
    says: /although all was at rest/,
  },
  'what the API server refuses is tried again at the next resync': {
    of: 'message-create',
    tell: (trace) => {
      const refused = { status: 422, body: {} };
      const call = { ...callIn(trace, 'create pods'), at: trace.marks.rest + 0.5, done: refused, seen: refused };
      return insertCall(trace, call);
    },
  },
  'a status is written that says nothing new': {
    of: 'message-create',
    tell: (trace) =>
      editChanges(
        trace,
        ({ at }) => at === 18,
        () => undefined,
      ),
    says: /the status of Message shop\/hello was written and is as before/,
  },
  'a status is written that says nothing new, after a child was': {
    of: 'message-create',
    tell: (trace) =>
      editChanges(
        trace,
        ({ at }) => at === 8,
        () => undefined,
      ),
  },
  'a status is written that says nothing new, after an authority was made': {
    of: 'message-create',
    tell: (trace) => {
      const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'frp-default-ca' };
      const call = { ...callIn(trace, 'create pods'), run: 14, at: 16.5, ref: secret, resource: 'secrets' };
      return editChanges(
        insertCall(trace, call),
        ({ at }) => at === 18,
        () => undefined,
      );
    },
  },
  'an object is deleted and made again for nothing': {
    of: 'message-create',
    tell: (trace) => madeTwice(trace, 'run'),
    says: /Pod.* was made 2 times, and 1 times without faults\n.*was deleted 1 times/,
  },
  'an object is deleted and made again by who was told the past of its owner': {
    of: 'message-create',
    tell: (trace) => {
      const read = callIn(trace, 'get messages');
      return insertCall(madeTwice(trace, 'run'), { ...read, at: read.at + 0.1, fault: 'after stale' });
    },
  },
  'an object is deleted and made again by who was told the past of the object itself': {
    of: 'message-create',
    tell: (trace) => {
      const read = callIn(trace, 'get pods');
      return insertCall(madeTwice(trace, 'run'), { ...read, at: read.at + 0.1, fault: 'after stale' });
    },
    says: /Pod.* was made 2 times/,
  },
  'an object is made again because a person deleted it': {
    of: 'message-create',
    tell: (trace) => madeTwice(trace, 'user'),
  },
  'an object is made again because the garbage collector took it': {
    of: 'message-create',
    tell: (trace) => madeTwice(trace, 'cluster'),
  },
  'an object is made twice although nobody took it': {
    of: 'message-create',
    tell: (trace) => insertChange(trace, { ...podIn(trace), at: 6.2 }),
    says: /was made 2 times/,
  },
  'a run deletes what the garbage collector would have come for': {
    of: 'delete-foreground',
    tell: (trace) => {
      const { run } = callIn(trace, 'patch-merge distributedservices');
      return editChanges(
        trace,
        ({ by, object }) => by.who === 'cluster' && object.kind === 'Deployment',
        (change) => ({ ...change, by: { who: 'run', run, call: 0 } }),
      );
    },
  },
  'a child is told to go and goes later: one deletion': { of: 'delete-running', tell: (trace) => ({ ...trace }) },
});
