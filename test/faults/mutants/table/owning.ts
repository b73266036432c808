import type { Mutant } from '../mutant.ts';

const owned = 'packages/controller/decide/owned.ts';
const children = 'packages/controller/decide/children.ts';

/** Whose an object is, what it is called, and what is compared. */
export const owningMutants: readonly Mutant[] = [
  {
    id: 'adopts-what-nobody-controls',
    says: 'Whatever has the name of a child and no controller is taken for ours',
    after: 'adopt a foreign child',
    edits: [
      {
        file: owned,
        from: "return child.metadata.labels?.[labels.ownerUid] === owner.metadata.uid ? 'ours' : 'foreign';",
        to: "return child.metadata.labels?.[labels.managedBy] === undefined ? 'ours' : 'foreign';",
      },
    ],
    near: ['squatted-balanced', 'squatted-message-pod'],
  },
  {
    id: 'owner-known-by-name',
    says: 'A child belongs to whoever has the name of its owner, although that one is gone',
    after: 'E4: deleted and made again; Sieve: children of the old uid adopted',
    edits: [
      {
        file: owned,
        from: "if (controller?.uid === owner.metadata.uid) return 'ours';",
        to: "if (controller?.uid === owner.metadata.uid || (controller && isNamesake(controller, owner))) return 'ours';",
      },
    ],
    near: ['recreate-at-once', 'message-recreate'],
    layer: 'turns',
  },
  {
    id: 'labels-forgotten',
    says: 'Children carry none of our labels, so no event of theirs is ever selected',
    after: 'X4: our labels',
    edits: [
      {
        file: owned,
        from: 'labels: { ...child.metadata.labels, ...ownedLabels(owner, controller) },',
        to: 'labels: { ...child.metadata.labels },',
      },
    ],
    near: ['create-tcp', 'drift-config-labels'],
  },
  {
    id: 'owner-reference-forgotten',
    says: 'Children name no owner: they outlive it',
    after: 'kopf: a child that is never adopted',
    edits: [{ file: owned, from: '      ownerReferences: [ownerReference(owner)],\n', to: '' }],
    near: ['message-delete', 'delete-running', 'message-create'],
  },
  {
    id: 'owner-reference-not-controlling',
    says: 'Children name their owner without `controller: true`, so that no event of theirs finds it',
    after: 'X4: owner references',
    edits: [{ file: owned, from: '    controller: true,\n', to: '    controller: false,\n' }],
    near: ['message-create', 'create-tcp'],
  },
  {
    id: 'prunes-what-is-foreign',
    says: 'What has the name of a child that is not desired is deleted, whoever owns it',
    after: 'delete without asking whose it is',
    edits: [
      {
        file: children,
        from: "return belongsTo(live, owner) === 'ours' ? [removalOf(live)] : [];",
        to: "return belongsTo(live, owner) !== 'outgoing' ? [removalOf(live)] : [];",
      },
    ],
    near: ['create-beside-namesake'],
  },
  {
    id: 'drift-unseen',
    says: 'A child is compared by the hash in its annotation alone: what a person changed stays changed',
    after: 'kopf: the state is in annotations; Sieve: unobserved state',
    edits: [
      {
        file: children,
        from: 'if (!differs(child, live) && strays.length === 0) return undefined;',
        to: "if (!differs(child.metadata.annotations?.['knudge.dev/spec-hash'], live.metadata.annotations?.['knudge.dev/spec-hash'])) return undefined;",
      },
    ],
    near: ['drift-balanced-changed', 'drift-tunnel-image'],
  },
  {
    id: 'observed-generation-trusted',
    says: 'A service that runs and whose generation was observed is left alone: its children may be gone',
    after: 'kopf: the state is in annotations; Sieve: unobserved state',
    edits: [
      {
        file: 'resources/distributed-service/plan.ts',
        from: '  const profile = usableProfile(observed, given);\n',
        to: "  const { status, metadata } = owner;\n  if (status?.state === 'Running' && status.observedGeneration === metadata.generation) return { writes: [], notices: [], again: false };\n  const profile = usableProfile(observed, given);\n",
      },
    ],
    near: ['drift-balanced-deleted', 'drift-tunnel-image'],
  },
  {
    id: 'waits-for-who-began',
    says: 'A service with our finalizer and no status is left to the instance that began it, which may have died',
    after: 'Crossplane: create-pending waits for a person; Sieve: intermediate state',
    edits: [
      {
        file: 'resources/distributed-service/plan.ts',
        from: '  const profile = usableProfile(observed, given);\n',
        to: '  if (owner.status === undefined && finalizer(owner).length === 0) return { writes: [], notices: [], again: false };\n  const profile = usableProfile(observed, given);\n',
      },
    ],
    near: ['create-tcp', 'create-manual'],
    shownBy: { kind: 'W17-too-slow', call: 'patch-merge distributedservices' },
    layer: 'faults',
  },
  {
    id: 'others-in-a-list-are-drift',
    says: 'A sidecar or a variable that somebody else put into a list is a difference, for ever',
    after: 'X3: an edit war',
    edits: [
      {
        file: 'packages/controller/decide/differs.ts',
        from: '  return desired.every((item) => live.some(',
        to: '  return live.length === desired.length && desired.every((item) => live.some(',
      },
    ],
    near: ['drift-tunnel-sidecar'],
  },
  {
    id: 'torn-down-without-profile',
    says: 'While the server profile cannot be found the tunnel is not desired, and so it is deleted',
    after: 'R4 of the reads: a list that looks empty is taken for the truth',
    edits: [
      {
        file: 'resources/distributed-service/desired.ts',
        from: "    for (const role of ['identity', 'tls', 'config', 'tunnel']) keep(role, { desired, children });\n",
        to: '',
      },
    ],
    near: ['profile-deleted', 'profile-spoilt'],
    shownBy: { kind: 'R4' },
  },
  {
    id: 'long-names-cut',
    says: 'Names past 63 characters are cut, so two services can want the same child',
    after: 'names that are not length-safe',
    edits: [
      {
        file: 'packages/controller/domain/names.ts',
        from: 'if (name.length <= longest) return name;',
        to: 'if (name.length > 0) return name.slice(0, longest);',
      },
    ],
    near: ['several-long-names'],
  },
  {
    id: 'token-made-anew',
    says: 'The identity token of a service is made at every event',
    after: 'a secret that is not read back',
    edits: [
      {
        file: 'resources/distributed-service/frp/identity-secret.ts',
        from: 'encodeBase64(token ?? newToken())',
        to: 'encodeBase64(newToken() ?? token)',
      },
    ],
    near: ['create-tcp'],
  },
];
