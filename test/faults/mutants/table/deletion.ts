import type { Mutant } from '../mutant.ts';

const cleanup = 'resources/distributed-service/cleanup.ts';
const plan = 'resources/distributed-service/plan.ts';

/** The finalizer, and what must be gone before it goes. */
export const deletionMutants: readonly Mutant[] = [
  {
    id: 'finalizer-off-before-clean-up',
    says: 'The finalizer goes when the children have been told to go, not when they have gone',
    after: 'finalizer off before clean-up',
    edits: [
      {
        file: cleanup,
        from: '  if (remaining.length > 0) return',
        to: '  if (deletions.length > 0) return',
      },
    ],
    near: ['delete-running'],
    layer: 'turns',
  },
  {
    id: 'finalizer-off-at-once',
    says: 'The finalizer goes in the same step that deletes the children',
    after: 'finalizer off before clean-up; Sieve: intermediate state',
    edits: [
      {
        file: cleanup,
        from: '  if (remaining.length > 0) return { writes: deletions, remaining, blocked, done: false };\n  const finalizers',
        to: '  void blocked;\n  const finalizers',
      },
      {
        file: cleanup,
        from: "writes: [...giveBack(observed, given), { do: 'finalizers', finalizers }],",
        to: "writes: [...deletions, ...giveBack(observed, given), { do: 'finalizers', finalizers }],",
      },
    ],
    near: ['delete-running'],
  },
  {
    id: 'finalizer-never-off',
    says: 'A finalizer of a slightly other name is taken away, and ours stays',
    after: 'a deletion that never ends',
    edits: [
      {
        file: cleanup,
        from: '.filter((name) => name !== cleanupFinalizer);',
        to: ".filter((name) => name !== 'frp.io/clean-up');",
      },
    ],
    near: ['delete-running'],
  },
  {
    id: 'deletion-waits-for-what-is-foreign',
    says: 'A deletion waits for everything that has the name of a child, whoever owns it',
    after: 'X6: a deletion that never ends',
    edits: [
      {
        file: cleanup,
        from: "child !== undefined && belongsTo(child, owner) === 'ours' ?",
        to: "child !== undefined && belongsTo(child, owner) !== 'outgoing' ?",
      },
    ],
    near: ['delete-with-squatter', 'squatted-balanced'],
  },
  {
    id: 'finalizer-added-while-deleted',
    says: 'A service that is being deleted gets the finalizer again as soon as it has lost it',
    after: 'kopf 664: a fight over a finalizer',
    edits: [
      {
        file: plan,
        from: 'const cleanup = isOurs ? planCleanup(observed, given) : over;',
        to: 'const cleanup = isOurs ? planCleanup(observed, given) : { ...over, writes: finalizer(owner) };',
      },
    ],
    near: ['delete-held-let-go', 'delete-finalizer-by-hand'],
    shownBy: { kind: 'R1-stale', call: 'get distributedservices web' },
    layer: 'faults',
  },
  {
    id: 'finalizers-of-others-dropped',
    says: 'Our finalizer is written as the only one',
    after: 'kopf 664: a fight over a finalizer',
    edits: [
      {
        file: plan,
        from: "[{ do: 'finalizers', finalizers: [...finalizers, cleanupFinalizer] }]",
        to: "[{ do: 'finalizers', finalizers: [cleanupFinalizer] }]",
      },
    ],
    near: ['create-held', 'create-tcp'],
  },
  {
    id: 'finalizer-after-the-children',
    says: 'The finalizer comes after the children, so a crash between leaves a tunnel that no deletion waits for',
    after: 'Sieve: intermediate state',
    edits: [
      {
        file: plan,
        from: 'const before = [...finalizer(owner), ...claims.writes, ...authority(certificates)];\n  const changes = [...before, ...work.writes, ...scalings, ...rotation];',
        to: 'const before = [...claims.writes, ...authority(certificates)];\n  const changes = [...before, ...work.writes, ...scalings, ...rotation, ...finalizer(owner)];',
      },
    ],
    near: ['create-tcp'],
    shownBy: { kind: 'W2' },
    layer: 'faults',
  },
  {
    id: 'deletion-unseen',
    says: 'A service that is being deleted is made right like any other',
    after: 'E4, X6: children made again while their owner goes',
    edits: [
      {
        file: plan,
        from: 'return isLeaving(observed.owner) ? planDeletion(observed, given) : planService(observed, given);',
        to: "return isLeaving(observed.owner) && observed.children.get('tunnel') === undefined ? planDeletion(observed, given) : planService(observed, given);",
      },
    ],
    near: ['delete-running'],
  },
  {
    id: 'pod-made-while-message-goes',
    says: 'The Pod of a Message that is being deleted is made again',
    after: 'X7: children made again while their owner goes',
    edits: [
      {
        file: 'packages/controller/decide/define.ts',
        from: '  if (isLeaving(owner)) return nothing;\n',
        to: '  void nothing;\n',
      },
    ],
    near: ['message-delete-foreground', 'message-delete-pod-held'],
    layer: 'turns',
  },
  {
    id: 'tunnel-leaves-its-pods-behind',
    says: 'The Deployment of a tunnel is deleted in the background, so its Pod still runs when the service counts as gone',
    after: 'finalizer off before clean-up',
    edits: [
      {
        file: cleanup,
        from: "role === 'tunnel' ? 'Foreground' : 'Background'",
        to: "'Background'",
      },
    ],
    near: ['delete-running'],
  },
  {
    id: 'identity-goes-before-tunnel',
    says: 'The identity of a service is deleted together with the tunnel that still shows it',
    after: 'a clean-up without its order',
    edits: [
      {
        file: cleanup,
        from: 'const step = tunnel.length > 0 ? tunnel : pods.length > 0 ? [] : ours;',
        to: 'const step = ours;',
      },
    ],
    near: ['delete-running'],
  },
];
