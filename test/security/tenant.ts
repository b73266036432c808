import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Impersonated } from '../kube/api.ts';

/** Somebody who has the role `edit` in one namespace, and nothing else. */
export function tenantOf(namespace: string): Impersonated {
  return { user: `tenant-of-${namespace}`, groups: ['system:authenticated'] };
}

/** Makes the user of this namespace its tenant. */
export function tenantBinding(namespace: string): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'tenant', namespace },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: tenantOf(namespace).user }],
  } as KubeObject;
}
