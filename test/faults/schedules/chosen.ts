/** Those whose every pair CI explores, by what they begin with; `npm run matrix -- --schedules` explores all pairs there are. */
export const chosen: ReadonlySet<string> = new Set([
  // A running service with every child.
  'touch-service',
  'drift-tls-deleted',
  'drift-config-changed',
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
  'change-text',
  'message-delete',
  'message-pod-deleted',
  'message-pod-labels-and-owner',
  'message-create',
  'message-create-and-delete',
]);
