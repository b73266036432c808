// Generated from crds/ by `npm run types`; do not edit.
/** How each custom resource of ours is served, by `apiVersion/kind` in the version that is stored. */
export const customKinds = {
  'frp.io/v1beta1/Claim': { plural: 'claims', namespaced: true },
  'frp.io/v1beta1/DistributedService': { plural: 'distributedservices', namespaced: true },
  'myorg.dev/v1/Message': { plural: 'messages', namespaced: true },
} as const;
