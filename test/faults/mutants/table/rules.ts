import type { Mutant } from '../mutant.ts';

const observe = 'packages/controller/reconcile/observe.ts';
const apply = 'packages/controller/cluster/apply.ts';
const readChildren = `  const [children, listed] = await Promise.all([
    Promise.all(roles.map(async ([role, child]) => [role, await childOf(role, child)] as const)),
    Promise.all(lists.map(async ({ name, query }) => [name, await readServed(query, reader)] as const)),
  ]);
`;
const readOwner = '  const owner = await reader.get(ref);\n  if (owner === undefined) return undefined;\n';

/** The rules R1 to R3, each broken where it is kept. */
export const ruleMutants: readonly Mutant[] = [
  {
    id: 'owner-read-first',
    says: 'The owner is read before the children, so a slow instance writes an old spec over a newer child for good',
    after: 'R1; Sieve: stale state',
    edits: [{ file: observe, from: `${readChildren}${readOwner}`, to: `${readOwner}${readChildren}` }],
    near: ['change-expose-remote-port', 'change-text'],
    layer: 'schedules',
  },
  {
    id: 'owner-read-beside-children',
    says: 'Owner and children are read at the same time, to save a round trip',
    after: 'R1',
    edits: [
      {
        file: observe,
        from: `${readChildren}  const owner = await reader.get(ref);\n`,
        to: `  const asked = reader.get(ref);\n${readChildren}  const owner = await asked;\n`,
      },
    ],
    near: ['change-expose-remote-port', 'change-text'],
    layer: 'schedules',
  },
  {
    id: 'owner-not-read-again',
    says: 'The owner is not read again after an input that is written: an old number of replicas is written over a newer',
    after: 'R1',
    edits: [
      {
        file: observe,
        from: '  if (mayWrite) await stillTheSame(owner, { ref, reader });',
        to: '  if (!mayWrite && roles.length === 0) await stillTheSame(owner, { ref, reader });',
      },
    ],
    near: ['scale-up', 'scale-down'],
    layer: 'schedules',
  },
  {
    id: 'reads-from-the-cache',
    says: 'A read asks for any version at all, which the API server may answer from a cache that is behind',
    after: 'R1; Sieve: stale state; cert-manager 9097: a stale cache',
    edits: [
      {
        file: 'packages/controller/cluster/read.ts',
        from: '...names, path: objectPath(ref), ...options',
        to: "...names, path: objectPath(ref), query: { resourceVersion: '0' }, ...options",
      },
    ],
    near: ['message-create', 'create-tcp'],
  },
  {
    id: 'apply-without-uid',
    says: 'An apply carries the resourceVersion alone, which makes a deleted object anew',
    after: 'R2',
    edits: [
      {
        file: apply,
        from: 'body: { ...object, metadata: { ...metadata, uid, resourceVersion } }',
        to: 'body: { ...object, metadata: { ...metadata, resourceVersion } }',
      },
    ],
    near: ['drift-endpoints-changed', 'change-expose-remote-port'],
    layer: 'faults',
  },
  {
    id: 'apply-without-version',
    says: 'An apply carries the uid alone: the later of two instances wins, whatever it read',
    after: 'R2; Sieve: stale state',
    edits: [
      {
        file: apply,
        from: 'body: { ...object, metadata: { ...metadata, uid, resourceVersion } }',
        to: 'body: { ...object, metadata: { ...metadata, uid } }',
      },
    ],
    near: ['drift-endpoints-changed', 'change-expose-remote-port'],
    layer: 'schedules',
  },
  {
    id: 'take-over-without-version',
    says: 'The step that makes a posted child ours as `Apply` does not test the version, and the apply then insists on its answer',
    after: 'R2',
    edits: [
      {
        file: apply,
        from: "    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },\n",
        to: '',
      },
    ],
    near: ['change-expose-remote-port', 'drift-endpoints-changed'],
    layer: 'schedules',
  },
  {
    id: 'upsert-on-create',
    says: 'A child that was absent is made by server-side apply, which overwrites one that came meanwhile',
    after: 'R2; cert-manager: an authority written by force',
    edits: [
      {
        file: 'packages/controller/cluster/create.ts',
        from: "{ ref, verb: 'create', method: 'POST', path: collectionPath(ref), body: object }",
        to: "{ ref, verb: 'create', contentType: 'application/apply-patch+yaml', force: true, body: object }",
      },
    ],
    near: ['message-create', 'create-tcp'],
    layer: 'faults',
  },
  {
    id: 'status-without-precondition',
    says: 'The status is written whatever the owner is by now: nothing proves any more that it was the one that was read',
    after: 'R3',
    edits: [
      {
        file: 'packages/controller/cluster/status.ts',
        from: "const metadata = { name, ...(namespace !== '' && { namespace }), ...precondition };",
        to: "const metadata = { name, ...(namespace !== '' && { namespace }) };",
      },
    ],
    near: ['change-expose-remote-port', 'recreate-at-once', 'message-recreate'],
    layer: 'faults',
  },
  {
    id: 'status-over-a-fresh-read',
    says: 'The status is written over a read of its own, with the generation found there: "retry on conflict" as many do it',
    after: 'R3; a later generation is claimed than the one that was reconciled',
    edits: [
      {
        file: 'packages/controller/cluster/status.ts',
        from: "const metadata = { name, ...(namespace !== '' && { namespace }), ...precondition };",
        to: `const fresh = (await transport({ method: 'GET', verb: 'get', resource: resourceName(ref), target: describe(ref), path: objectPath(ref) })) as KubeObject;
  const { uid, resourceVersion, generation = 0 } = fresh.metadata;
  const metadata = { name, ...(namespace !== '' && { namespace }), uid, resourceVersion };`,
      },
      {
        file: 'packages/controller/cluster/status.ts',
        from: 'body: { apiVersion, kind, metadata, status },',
        to: 'body: { apiVersion, kind, metadata, status: { ...status, observedGeneration: generation } },',
      },
      {
        file: 'packages/controller/cluster/status.ts',
        from: "import { writeObject } from './write.ts';",
        to: "import { objectPath, resourceName } from './paths.ts';\nimport { writeObject } from './write.ts';",
      },
    ],
    near: ['change-expose-remote-port', 'create-tcp'],
    shownBy: { kind: 'R2-parent' },
    layer: 'faults',
  },
];
