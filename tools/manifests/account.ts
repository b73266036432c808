import { indented } from './text.ts';

/** A ServiceAccount with a ClusterRole that is bound to it. */
export function accountWith(name: string, rules: string): string {
  return `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
  namespace: knudge
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: knudge-${name}
rules:
${indented(rules, 2)}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: knudge-${name}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: knudge-${name}
subjects:
  - kind: ServiceAccount
    name: ${name}
    namespace: knudge
`;
}

/** The Role by which the resync keeps its Lease in Knudge's own namespace. */
export const leaseOfResync = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: knudge-resync-lease
  namespace: knudge
rules:
  # When the last resync was, for every instance and for people: this one Lease. Create is asked where it is not there yet.
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    resourceNames: [knudge-resync]
    verbs: [get, create, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: knudge-resync-lease
  namespace: knudge
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: knudge-resync-lease
subjects:
  - kind: ServiceAccount
    name: resync-due
    namespace: knudge
`;
