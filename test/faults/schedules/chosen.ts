/** Those whose every pair CI explores, by what they begin with; `npm run matrix -- --schedules` explores all pairs there are. */
export const chosen: ReadonlySet<string> = new Set([
  // A running service with every child.
  'touch-service',
  'touch-spec-back',
  'drift-tls-deleted',
  'drift-config-changed',
  'drift-endpoints-deleted',
  'backend-selected-added',
  'delete-running',
  // A service whose spec changes.
  'change-backends-port',
  'change-backends-discovery',
  // A service that is not there yet.
  'create-tcp',
  'create-and-change',
  'create-and-delete',
  // Certificates come of age; the profile changes.
  'leaf-due',
  'profile-address',
  // The workload is scaled.
  'scale-up',
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
