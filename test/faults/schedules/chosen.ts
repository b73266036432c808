/** Those whose every pair CI explores, by what they begin with; `npm run matrix -- --schedules` explores all pairs there are. */
export const chosen: ReadonlySet<string> = new Set([
  // A running service with every child.
  'touch-service',
  'touch-spec-back',
  'drift-identity-deleted',
  'drift-tls-deleted',
  'drift-config-changed',
  'drift-endpoints-deleted',
  'drift-backends-deleted',
  'drift-balanced-labels',
  'drift-tunnel-image',
  'drift-tunnel-owner',
  'backend-selected-added',
  'delete-running',
  'recreate-at-once',
  // A service whose spec changes.
  'change-backends-port',
  'change-backends-discovery',
  'change-load-balancing-algorithm',
  // A service that is not there yet.
  'create-generated-mtls',
  'create-and-change',
  'create-and-delete',
  // Certificates come of age; the profile changes.
  'leaf-due',
  'leaf-due-and-spec-changed',
  'authority-deleted',
  'profile-address',
  // The workload is scaled.
  'scale-up',
  'scale-drift',
  // Messages.
  'touch-message',
  'change-text',
  'message-delete',
  'message-pod-deleted',
  'message-pod-image',
  'message-pod-labels-and-owner',
  'message-create',
  'message-create-and-delete',
]);
