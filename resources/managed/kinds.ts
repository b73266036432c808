// Generated from functions/table.ts and crds/ by `npm run types`; do not edit.
import { addKinds } from '../../packages/controller/domain/known-kinds.ts';

addKinds({
  'frp.io/v1beta1/Claim': { plural: 'claims', namespaced: true },
  'frp.io/v1beta1/DistributedService': { plural: 'distributedservices', namespaced: true },
  'myorg.dev/v1/Message': { plural: 'messages', namespaced: true },
});

/** The kinds that are parents, in the version that is stored. */
export const distributedService = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
export const message = { apiVersion: 'myorg.dev/v1', kind: 'Message' } as const;

/** All of them. A program that only lists them imports them from here, so that no resource is in its bundle. */
export const parentKinds = [distributedService, message] as const;

/** Each kind of which Knudge makes children, and for which parents. */
export const childKinds = [
  { apiVersion: 'apps/v1', kind: 'Deployment', parents: [distributedService] },
  { apiVersion: 'v1', kind: 'Service', parents: [distributedService] },
  { apiVersion: 'v1', kind: 'ConfigMap', parents: [distributedService] },
  { apiVersion: 'v1', kind: 'Secret', parents: [distributedService] },
  { apiVersion: 'v1', kind: 'Pod', parents: [message] },
] as const;
