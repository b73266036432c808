import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { callIn, editCalls, insertChange, put, testLies } from './edit-trace.ts';

const service = 'delete-running';

/** The removal of the finalizer, as if its pass had seen something else. */
function seenBefore(trace: Trace, name: string, seen: TracedCall['seen'] | undefined): Trace {
  const removal = callIn(trace, 'patch-merge distributedservices');
  const read = trace.calls.findLast(({ verb, ref, at }) => verb === 'get' && ref.name === name && at < removal.at);
  return editCalls(
    trace,
    (call) => call === read,
    (call) => (seen === undefined ? undefined : { ...call, seen }),
  );
}

function earlier(trace: Trace, kind: string): KubeObject | undefined {
  return trace.changes.find(({ object }) => object.kind === kind)?.before;
}

function left(trace: Trace, edit: (object: KubeObject) => KubeObject): Trace {
  const child = earlier(trace, 'Deployment');
  return child === undefined ? trace : { ...trace, resting: [...trace.resting, edit(child)] };
}

function stuck(trace: Trace, finalizers: readonly string[]): Trace {
  const parent = put(earlier(trace, 'DistributedService'), ['metadata', 'finalizers'], finalizers);
  const leaving = put(parent, ['metadata', 'deletionTimestamp'], '2026-01-01T00:00:00Z');
  return leaving === undefined ? trace : { ...trace, resting: [...trace.resting, leaving] };
}

testLies('O6', {
  'the finalizer leaves although a child was seen': {
    of: service,
    tell: (trace) => seenBefore(trace, 'frp-web-config', callIn(trace, 'get configmaps', 'frp-web-config').seen),
    says: /DistributedService shop\/web lost its finalizer before config had gone/,
  },
  'the finalizer leaves, and nobody has looked for a child': {
    of: service,
    tell: (trace) => seenBefore(trace, 'frp-web-tls', undefined),
    says: /lost its finalizer before tls had gone/,
  },
  'the finalizer leaves although nobody deleted the owner': {
    of: service,
    tell: (trace) => {
      const { status, body } = callIn(trace, 'get distributedservices').seen;
      return seenBefore(trace, 'web', { status, body: put(body, ['metadata', 'deletionTimestamp'], undefined) });
    },
    says: /although nobody deleted it/,
  },
  'a parent is brought back': {
    of: service,
    tell: (trace) => {
      const object = earlier(trace, 'DistributedService');
      const run = { who: 'run', run: 34, call: 71 } as const;
      return object === undefined ? trace : insertChange(trace, { at: 75.5, by: run, type: 'ADDED', object });
    },
    says: /DistributedService shop\/web was made by a run/,
  },
  'the tunnel is deleted without its Pods': {
    of: service,
    tell: (trace) => {
      const call = callIn(trace, 'delete deployments');
      return editCalls(
        trace,
        (one) => one === call,
        (one) => put(one, ['body', 'propagationPolicy'], 'Background'),
      );
    },
    says: /Deployment shop\/frp-web was deleted without waiting for its Pods/,
  },
  'the identity is deleted before the tunnel has gone': {
    of: service,
    tell: (trace) => {
      const { run } = callIn(trace, 'delete secrets');
      const { seen } = callIn(trace, 'get deployments');
      return editCalls(
        trace,
        (call) => call.run === run && call.verb === 'get' && call.ref.kind === 'Deployment',
        (call) => ({ ...call, seen }),
      );
    },
    says: /Secret shop\/frp-web-identity was deleted before the tunnel had gone/,
  },
  'a child is made before the finalizer stands': {
    of: 'create-generated-mtls',
    tell: (trace) => {
      const call = callIn(trace, 'patch-merge distributedservices');
      return editCalls(
        trace,
        (one) => one === call,
        () => undefined,
      );
    },
    says: /was made before DistributedService shop\/web had its finalizer/,
  },
  'a child is left of an owner that is gone': {
    of: service,
    tell: (trace) => left(trace, (child) => child),
    says: /Deployment shop\/frp-web is left of an owner that is gone/,
  },
  'a child is left that somebody else holds': {
    of: service,
    tell: (trace) =>
      left(trace, (child) => {
        const held = put(child, ['metadata', 'finalizers'], ['example.com/hold']);
        return put(held, ['metadata', 'deletionTimestamp'], '2026-01-01T00:00:00Z');
      }),
  },
  'the owner cannot go, and it is our finalizer': {
    of: service,
    tell: (trace) => stuck(trace, ['frp.io/cleanup', 'example.com/hold']),
    says: /DistributedService shop\/web is being deleted and cannot go/,
  },
  'the owner cannot go, and it is the finalizer of somebody else': {
    of: service,
    tell: (trace) => stuck(trace, ['example.com/hold']),
  },
  'the owner cannot go, and somebody else holds a child': {
    of: service,
    tell: (trace) =>
      left(stuck(trace, ['frp.io/cleanup']), (child) => put(child, ['metadata', 'finalizers'], ['example.com/hold'])),
  },
});
