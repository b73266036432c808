import type { Mutant } from '../mutant.ts';

const knownVersions = 'packages/controller/react/known-versions.ts';
const reconcile = 'packages/controller/reconcile/reconcile.ts';
const observed = 'packages/controller/reconcile/observe.ts';

/** Events that are answered without a read, and looks with few. */
export const lookMutants: readonly Mutant[] = [
  {
    id: 'own-writes-by-uid',
    says: 'An event of anything that this process has ever written is taken for one of its own writes',
    after: 'R1: an echo taken where it is none',
    edits: [
      {
        file: knownVersions,
        from: '  const { uid, resourceVersion } = object.metadata;\n  return JSON.stringify([parent, describe(refOf(object)), uid, resourceVersion]);',
        to: '  const { uid } = object.metadata;\n  return JSON.stringify([parent, describe(refOf(object)), uid]);',
      },
    ],
    near: ['message-create', 'change-text'],
  },
  {
    id: 'own-writes-by-manager-and-hash',
    says: 'An event of an object under the field manager of Knudge and with its hash is taken for an own write, whoever wrote it',
    after: 'Crossplane: a change that is filtered away; an echo taken where it is none',
    edits: [
      {
        file: knownVersions,
        from: '      return versions.has(keyOf(parent, hint));',
        to: "      const isMarked = hint.metadata.annotations?.['knudge.dev/spec-hash'] !== undefined;\n      const { managedFields = [] } = hint.metadata;\n      if (isMarked && managedFields.every(({ manager }) => manager === 'knudge')) return true;\n      return versions.has(keyOf(parent, hint));",
      },
    ],
    near: [],
    shownBy: { test: 'packages/controller/test/react/known-versions.test.ts' },
  },
  {
    id: 'own-writes-left-undone',
    says: 'A write is known as an own one also where its answer says that something is left to do',
    after: 'R2; an echo taken where it is none',
    edits: [{ file: reconcile, from: 'known: isAtRest ? known : []', to: 'known: isAtRest || true ? known : []' }],
    near: [],
    shownBy: { test: 'packages/controller/test/react/known-versions.test.ts' },
  },
  {
    id: 'tunnel-pod-taken-for-known',
    says: 'An event of the Pod of a tunnel is answered without a look where its version has been read before',
    after: 'EndpointsAccepted: of what an Envoy has taken no object tells',
    edits: [
      {
        file: 'functions/pod-changed.ts',
        from: 'const how = tunnel.length > 0 ? { insists: true } : {};',
        to: 'const how = tunnel.length > 1 ? { insists: true } : {};',
      },
    ],
    near: [],
    shownBy: { test: 'test/functions/parents.test.ts' },
  },
  {
    id: 'claims-wait-for-a-version',
    says: 'An event that wakes who waits for a Claim is answered without a look where its version has been read before',
    after: 'R4: nobody waits for what is free',
    edits: [
      {
        file: 'packages/controller/react/runs.ts',
        from: 'wakes || insists || !known.isTold(key, change)',
        to: 'insists || !known.isTold(key, change)',
      },
    ],
    near: [],
    shownBy: { test: 'packages/controller/test/react/known-versions.test.ts' },
  },
  {
    id: 'users-of-a-profile-cut-short',
    says: 'Of many that use a profile the last is not asked after, and nobody says so',
    after: 'X1: a tail that never has its turn',
    edits: [
      {
        file: 'packages/controller/react/ask-after.ts',
        from: 'const { sent, failures } = await announce(objects, {',
        to: 'const { sent, failures } = await announce(objects.slice(0, Math.max(objects.length - 1, 1)), {',
      },
      {
        file: 'packages/controller/react/ask-after.ts',
        from: 'if (sent < parents.length) {',
        to: 'if (failures.length > 0) {',
      },
    ],
    near: ['several-share-a-profile'],
  },
  {
    id: 'replay-taken-for-an-echo',
    says: 'Whoever replays an event of an own write is answered without a look',
    after: 'an echo taken where it is none',
    edits: [
      {
        file: knownVersions,
        from: 'hint === undefined || isReplay ||',
        to: 'hint === undefined || (isReplay && false) ||',
      },
    ],
    near: [],
    shownBy: { test: 'packages/controller/test/react/known-versions.test.ts' },
  },
  {
    id: 'look-believes-the-status',
    says: 'A service whose status speaks of its present spec is taken for right without deciding',
    after: 'cert-manager 9097: what is observed is not what is',
    edits: [
      {
        file: reconcile,
        from: '  const isAtRest = isNothing(decide(seen.observed, {}));',
        to: '  const isAtRest = isNothing(decide(seen.observed, {})) || true;',
      },
    ],
    near: ['create-tcp', 'drift-config-deleted'],
  },
  {
    id: 'look-leaves-out-what-it-is-about',
    says: 'A look reads no child that the spec does not want, also where an event tells of just that one',
    after: 'an orphan that nobody prunes',
    edits: [
      {
        file: 'packages/controller/reconcile/look.ts',
        from: 'const wanted = new Set(about.map(describe));',
        to: 'const wanted = new Set(about.slice(0, 0).map(describe));',
      },
    ],
    near: [],
    shownBy: { test: 'packages/controller/test/reconcile/look.test.ts' },
  },
  {
    id: 'owner-of-the-look',
    says: 'A pass that goes on from a look keeps the owner too, which was read before the children',
    after: 'R1: children first, the owner after them',
    edits: [
      {
        file: observed,
        from: '  const owner = await reader.get(ref);\n  if (owner === undefined) return undefined;',
        to: '  const owner = seen?.owner ?? (await reader.get(ref));\n  if (owner === undefined) return undefined;',
      },
    ],
    near: ['backend-added', 'drift-config-deleted'],
  },
  {
    id: 'look-takes-the-identity-for-absent',
    says: 'A look does not ask for the identity where the status does not tell of it, so the pass that follows makes another',
    after: 'R1: written without having been read',
    edits: [
      {
        file: 'resources/distributed-service/at-rest.ts',
        from: "(isTold ? [] : [named('identity')])",
        to: '(isTold ? [] : [])',
      },
    ],
    near: ['create-tcp'],
    shownBy: { test: 'packages/controller/test/reconcile/after-a-look.test.ts' },
  },
  {
    id: 'owner-moved-since-the-look',
    says: 'A pass that goes on from a look keeps its children also where the owner is another version by now',
    after: 'R1; a look believes one status',
    edits: [
      {
        file: observed,
        from: 'if (seen !== undefined && !isSame(owner, seen.owner)) return',
        to: 'if (seen !== undefined && owner.metadata.uid !== seen.owner.metadata.uid) return',
      },
    ],
    near: [],
    shownBy: { test: 'packages/controller/test/reconcile/after-a-look.test.ts' },
  },
  {
    id: 'whose-secret-by-any-name',
    says: 'The metadata of a Secret is not read where its name is one that we give, so its owner is not found',
    after: 'an orphan that nobody mends',
    edits: [
      {
        file: 'resources/distributed-service/parents/of-service.ts',
        from: "return name.startsWith('frp-');",
        to: "return name.startsWith('frp_');",
      },
    ],
    near: [],
    shownBy: { test: 'test/functions/parents.test.ts' },
  },
];
