import { resyncLease } from '../../controller/domain/names.ts';
import { indented } from './text.ts';

/** A ServiceAccount in the controller's namespace, with a ClusterRole that is bound to it. */
export function accountWith(home: string, name: string, rules: string): string {
  return `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
  namespace: ${home}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${home}-${name}
rules:
${indented(rules, 2)}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ${home}-${name}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ${home}-${name}
subjects:
  - kind: ServiceAccount
    name: ${name}
    namespace: ${home}
`;
}

/** The Role by which the resync keeps its Lease in the controller's own namespace. */
export function leaseOfResync(home: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: ${home}-resync-lease
  namespace: ${home}
rules:
  # When the last resync was, for every instance and for people: this one Lease. Create is asked where it is not there yet.
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    resourceNames: [${resyncLease}]
    verbs: [get, create, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: ${home}-resync-lease
  namespace: ${home}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${home}-resync-lease
subjects:
  - kind: ServiceAccount
    name: resync-due
    namespace: ${home}
`;
}
