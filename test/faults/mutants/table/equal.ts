import type { Mutant } from '../mutant.ts';

/** Rule R4: what is equal is never written, and what is not equal is. */
export const equalMutants: readonly Mutant[] = [
  {
    id: 'status-always-written',
    says: 'The status of a service is written at every event, equal or not',
    after: 'R4',
    edits: [
      {
        file: 'resources/distributed-service/plan.ts',
        from: "return changed || writes.length > 0 ? [...writes, { do: 'status', status }] : [];",
        to: "return [...writes, { do: 'status', status }];",
      },
    ],
    near: ['create-manual'],
  },
  {
    id: 'children-always-applied',
    says: 'Every child is applied at every event',
    after: 'R4',
    edits: [
      {
        file: 'packages/controller/decide/children.ts',
        from: 'if (!differs(child, live) && strays.length === 0) return undefined;',
        to: '',
      },
    ],
    near: ['create-manual'],
  },
  {
    id: 'own-old-port-blamed',
    says: "A port of our own under the same name counts as somebody else's, so its Service is deleted and made anew",
    after: 'H3 of the findings: another clusterIP, and a younger service takes the claim meanwhile',
    edits: [
      {
        file: 'packages/controller/decide/children.ts',
        from: 'if (isOtherwiseFixed(child, live)) return removalOf(live);',
        to: "if (isOtherwiseFixed(child, live) || strays.some((path) => path.includes('f:ports'))) return removalOf(live);",
      },
    ],
    near: ['change-backends-port', 'drift-balanced-changed'],
  },
  {
    id: 'tunnel-gone-before-its-pods',
    says: 'A tunnel that is made anew is deleted in the background: the new Pod comes while the old one runs',
    after: 'H3 of the findings; decision 0021',
    edits: [
      {
        file: 'packages/controller/decide/children.ts',
        from: "return deletion(live, live.kind === 'Deployment' ? 'Foreground' : 'Background');",
        to: "return deletion(live, 'Background');",
      },
    ],
    near: ['stray-tunnel-remade'],
  },
  {
    id: 'spec-hash-of-nothing',
    says: 'The hash of a child says nothing of its content, so a field that is no longer desired stays',
    after: 'R4',
    edits: [
      {
        file: 'packages/controller/decide/owned.ts',
        from: 'const specHash = hash(canonical(owned));',
        to: 'const specHash = hash(canonical(owned.metadata.name));',
      },
    ],
    near: [
      'change-backends-selector-match-labels-removed',
      'change-expose-locations-removed',
      'change-security-mtls-enabled-removed',
    ],
  },
  {
    id: 'last-reconciled-always-now',
    says: 'The time of the last reconcile is part of the status of every event',
    after: 'R4: no timestamps',
    edits: [
      {
        file: 'resources/distributed-service/status/status.ts',
        from: 'return { status: { ...status, lastReconciled }, changed: !same };',
        to: 'return { status: { ...status, lastReconciled: now }, changed: !same || now !== last };',
      },
    ],
    near: ['create-manual'],
  },
  {
    id: 'transition-time-always-new',
    says: 'A condition has the time of the last event, not of its last change',
    after: 'R4; conditions that flap',
    edits: [
      {
        file: 'packages/controller/domain/conditions.ts',
        from: 'const lastTransitionTime = isTime(since) ? since : now;',
        to: 'const lastTransitionTime = isTime(since) ? now : now;',
      },
    ],
    near: ['create-tcp', 'message-create'],
  },
];
