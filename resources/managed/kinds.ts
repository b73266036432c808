// Generated from resources/managed/resources.ts by `npm run types`; do not edit.
/** The kinds that are parents, in the version that is stored. */
export const distributedService = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
export const message = { apiVersion: 'myorg.dev/v1', kind: 'Message' } as const;

/** All of them: those of resources/managed/resources.ts, which is not in the bundle of who only lists them. */
export const parentKinds = [distributedService, message] as const;

/** Each kind of which Knudge makes children, and for which parents. */
export const childKinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment', parents: [distributedService] },
  { apiVersion: 'v1', kind: 'Service', parents: [distributedService] },
  { apiVersion: 'v1', kind: 'ConfigMap', parents: [distributedService] },
  { apiVersion: 'v1', kind: 'Secret', parents: [distributedService] },
  { apiVersion: 'v1', kind: 'Pod', parents: [message] },
] as const;
