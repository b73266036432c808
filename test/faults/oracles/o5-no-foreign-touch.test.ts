import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { callIn, editChanges, insertCall, insertChange, put, testLies } from './edit-trace.ts';

type Path = readonly (string | number)[];

const labels = ['metadata', 'labels'];
const reference = ['metadata', 'ownerReferences', 0];

/** The change of this type by a run to the first object of this kind, with something else in it. */
function edited(
  trace: Trace,
  what: `${TracedChange['type']} ${string}`,
  edit: (object: KubeObject) => KubeObject,
): Trace {
  const isIt = ({ by, type, object }: TracedChange): boolean => by.who === 'run' && what === `${type} ${object.kind}`;
  const found = trace.changes.find(isIt);
  if (found === undefined) throw new Error(`no ${what}`);
  return editChanges(
    trace,
    (change) => change === found,
    (change) => ({ ...change, object: edit(change.object) }),
  );
}

const putIn =
  (path: Path, value: unknown) =>
  (object: KubeObject): KubeObject =>
    put(object, path, value);

/** A child that is deleted, as it was before. */
function deletedChild(trace: Trace, edit: (object: KubeObject) => KubeObject): Trace {
  return editChanges(
    trace,
    ({ by, type, object }) => by.who === 'run' && type === 'DELETED' && object.kind === 'Service',
    (change) => ({ ...change, ...(change.before && { before: edit(change.before) }) }),
  );
}

/** Nobody's change of a run, as if it had made a Lease. */
function asLease(trace: Trace, name: string): Trace {
  const call = callIn(trace, 'delete services');
  const metadata = { namespace: 'knudge', name, uid: `uid-${name}`, resourceVersion: '1' };
  const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata };
  const by = { who: 'run', run: call.run, call: call.at } as const;
  return insertChange(trace, { at: call.at + 0.5, by, type: 'ADDED', object });
}

testLies('O5', {
  'a Lease of another name is written': {
    of: 'delete-running',
    tell: (trace) => asLease(trace, 'another'),
    says: /Lease knudge\/another was made without the label/,
  },
  'the Lease of the resync is written, which is right': {
    of: 'delete-running',
    tell: (trace) => asLease(trace, 'knudge-resync'),
  },
  'a child of another is deleted': {
    of: 'delete-running',
    tell: (trace) => deletedChild(trace, putIn([...reference, 'uid'], 'another')),
    says: /Service .* is not of a parent that was read, and was deleted/,
  },
  'an object of a name of ours, of nobody, is deleted': {
    of: 'delete-running',
    tell: (trace) => deletedChild(trace, (object) => put(put(object, labels, {}), ['metadata', 'ownerReferences'], [])),
    says: /is not of a parent that was read, and was deleted/,
  },
  'a child is mended that a person took our labels from': {
    of: 'delete-running',
    tell: (trace) => deletedChild(trace, putIn(labels, {})),
  },
  'a child is mended that a person took the reference from': {
    of: 'delete-running',
    tell: (trace) => deletedChild(trace, putIn(['metadata', 'ownerReferences'], [])),
  },
  'all of a kind is deleted by a selector': {
    of: 'delete-running',
    tell: (trace) => {
      const call = callIn(trace, 'delete secrets');
      return insertCall(trace, { ...call, at: 13.5, ref: { ...call.ref, name: '' } });
    },
    says: /secrets were deleted by a selector/,
  },
  'a child is made without our label': {
    of: 'message-create',
    tell: (trace) => edited(trace, 'ADDED Pod', putIn(labels, {})),
    says: /was made without the label/,
  },
  'a child is made for a parent that nobody read': {
    of: 'message-create',
    tell: (trace) => edited(trace, 'ADDED Pod', putIn([...reference, 'uid'], 'another')),
    says: /was made for no parent that was read/,
  },
  'a child is made that has an owner and no controller': {
    of: 'message-create',
    tell: (trace) => edited(trace, 'ADDED Pod', putIn([...reference, 'controller'], false)),
    says: /was made for no parent that was read/,
  },
  'a child is made in another namespace': {
    of: 'message-create',
    tell: (trace) => edited(trace, 'ADDED Pod', putIn(['metadata', 'namespace'], 'other')),
    says: /was made in another namespace than its parent/,
  },
  'an authority is made for nothing': {
    of: 'create-generated-mtls',
    tell: (trace) => edited(trace, 'ADDED Secret', putIn(['metadata', 'labels', 'frp.io/certificate-authority'], 'x')),
    says: /is the authority of a profile that no parent uses/,
  },
  'an authority is made that goes with something': {
    of: 'create-generated-mtls',
    tell: (trace) => edited(trace, 'ADDED Secret', putIn(['metadata', 'ownerReferences'], [{ kind: 'ConfigMap' }])),
    says: /is a certificate authority, and goes with what owns it/,
  },
  'the spec of a parent is changed': {
    of: 'message-create',
    tell: (trace) => edited(trace, 'MODIFIED Message', putIn(['spec', 'text'], 'other')),
    says: /more of it was changed than finalizers and status/,
  },
  'a label of a parent is changed': {
    of: 'message-create',
    tell: (trace) => edited(trace, 'MODIFIED Message', putIn(labels, { some: 'label' })),
    says: /more of it was changed than finalizers and status/,
  },
  'more of a workload is changed than its replicas': {
    of: 'create-with-workload',
    tell: (trace) => edited(trace, 'MODIFIED Deployment', putIn(['spec', 'paused'], true)),
    says: /more of it was changed than its replicas/,
  },
  'a workload is scaled that nobody names': {
    of: 'create-with-workload',
    tell: (trace) => edited(trace, 'MODIFIED Deployment', putIn(['metadata', 'name'], 'other')),
    says: /was scaled, and no parent that was read names it/,
  },
  'the Pod of a tunnel is told to look, and something else of it is changed': {
    of: 'backend-added',
    tell: (trace) => edited(trace, 'MODIFIED Pod', putIn(['spec', 'nodeName'], 'other')),
    says: /is a Pod, and more of it was changed than what makes its kubelet look/,
  },
  'a Pod of no tunnel is told to look': {
    of: 'backend-added',
    tell: (trace) =>
      editChanges(
        trace,
        ({ by, type, object }) => by.who === 'run' && type === 'MODIFIED' && object.kind === 'Pod',
        (change) => ({ ...change, ...(change.before && { before: putIn(labels, {})(change.before) }) }),
      ),
    says: /is of no tunnel of a parent that was read, and was annotated/,
  },
  'an Event is about something that nobody read': {
    of: 'message-create',
    tell: (trace) => edited(trace, 'ADDED Event', putIn(['regarding', 'uid'], 'another')),
    says: /is about nothing that was read/,
  },
  'an Event lies elsewhere': {
    of: 'message-create',
    tell: (trace) => edited(trace, 'ADDED Event', putIn(['metadata', 'namespace'], 'other')),
    says: /is not in the namespace of what it is about/,
  },
});
