import type { Mutant } from '../mutant.ts';

/** How a single write is made. */
export const writeMutants: readonly Mutant[] = [
  {
    id: 'apply-without-force',
    says: 'An apply gives way to other field managers: what a person changed by hand is never brought back',
    after: 'drift that ends in an endless conflict',
    edits: [
      {
        file: 'packages/controller/cluster/apply.ts',
        from: '    contentType: patches.apply,\n    force: true,\n',
        to: '    contentType: patches.apply,\n',
      },
    ],
    near: ['drift-tunnel-image', 'drift-config-changed', 'drift-balanced-changed'],
  },
  {
    id: 'posted-fields-not-taken-over',
    says: 'What was posted stays an `Update` of ours, so an apply leaves fields behind that are no longer desired',
    after: 'two entries of one manager own the same fields',
    edits: [{ file: 'packages/controller/cluster/apply.ts', from: 'if (index < 0) return [];', to: 'return [];' }],
    near: ['change-backends-selector-match-labels-removed', 'change-security-mtls-enabled-removed'],
    shownBy: { kind: 'W7' },
  },
  {
    id: 'delete-without-preconditions',
    says: 'A delete hits whatever has the name by now',
    after: 'R2; Sieve: a stale read deletes what is new',
    edits: [
      { file: 'packages/controller/cluster/delete.ts', from: '    preconditions: { uid, resourceVersion },\n', to: '' },
      {
        file: 'packages/controller/cluster/delete.ts',
        from: '  const { uid, resourceVersion } = precondition;\n',
        to: '  void precondition;\n',
      },
    ],
    near: ['change-text', 'drift-tunnel-deleted', 'change-security-mtls-enabled-removed'],
    layer: 'faults',
  },
  {
    id: 'delete-by-label',
    says: 'Instead of one child everything of its kind with our label in the namespace is deleted',
    after: 'delete by label',
    edits: [
      {
        file: 'packages/controller/cluster/delete.ts',
        from: "await write(transport, { ref, verb: 'delete', method: 'DELETE', body });",
        to: "await transport({ method: 'DELETE', verb: 'delete', resource: resourceName(ref), target: ref.kind, path: collectionPath(ref), query: { labelSelector: 'app.kubernetes.io/managed-by=knudge' }, body: { ...body, preconditions: undefined } });",
      },
      {
        file: 'packages/controller/cluster/delete.ts',
        from: "import { write } from './write.ts';",
        to: "import { collectionPath, resourceName } from './paths.ts';",
      },
    ],
    near: ['several-one-deleted'],
  },
  {
    id: 'scale-without-precondition',
    says: 'The scale of a workload is written whatever it is by now',
    after: 'R2',
    edits: [
      {
        file: 'packages/controller/cluster/scale.ts',
        from: "    { op: 'test', path: '/metadata/uid', value: precondition.uid },\n    { op: 'test', path: '/metadata/resourceVersion', value: precondition.resourceVersion },\n",
        to: '',
      },
    ],
    near: ['scale-up', 'scale-replaced'],
    layer: 'faults',
  },
  {
    id: 'scale-always-written',
    says: 'The scale of a workload is written at every event, equal or not',
    after: 'R4; a war with an autoscaler',
    edits: [
      {
        file: 'resources/distributed-service/children/workload.ts',
        from: '  if (has === replicas) return { scaled, writes: [] };\n  if (before?.uid === scaled.uid &&',
        to: "  if (before?.uid === 'nobody' &&",
      },
    ],
    near: ['scale-up', 'create-with-workload'],
  },
  {
    id: 'finalizers-without-precondition',
    says: 'The list of finalizers is written over whatever it is by now, and over a namesake',
    after: 'R2; kopf 664: two operators fight over a finalizer',
    edits: [
      {
        file: 'packages/controller/cluster/finalizer.ts',
        from: 'const body = { metadata: { ...precondition, finalizers: list } };',
        to: 'void precondition;\n  const body = { metadata: { finalizers: list } };',
      },
    ],
    near: ['create-tcp', 'delete-running', 'recreate-at-once'],
    layer: 'faults',
  },
];
