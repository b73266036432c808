/** The kinds that are parents, in the version that is stored. */
export const distributedService = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
export const message = { apiVersion: 'myorg.dev/v1', kind: 'Message' } as const;
