/** The kinds that are parents, in the version that is stored. */
export const distributedService = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
export const message = { apiVersion: 'myorg.dev/v1', kind: 'Message' } as const;

/** All of them: those of packages/controller/decide/resources.ts, which is not in the bundle of who only lists them (packages/controller/test/parents/kinds.test.ts). */
export const parentKinds = [distributedService, message] as const;
