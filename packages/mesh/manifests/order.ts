import { describe, groupOf, type KubeObject, refOf } from '../../controller/domain/kube-object.ts';

/** These kinds come first, in this order; all others follow in the order in which they were read. */
const first = [
  '/Namespace',
  'apiextensions.k8s.io/CustomResourceDefinition',
  '/ServiceAccount',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/RoleBinding',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  '/ConfigMap',
  '/Secret',
  'serving.knative.dev/Service',
  'messaging.knative.dev/InMemoryChannel',
  'messaging.knative.dev/Subscription',
  'eventing.knative.dev/Broker',
  'eventing.knative.dev/Trigger',
] as const;

/** The objects in an order in which they can be applied: events begin to flow last. */
export function inOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  const rank = (object: KubeObject): number => {
    const index = (first as readonly string[]).indexOf(typeOf(object));
    return index < 0 ? first.length : index;
  };
  return objects.toSorted((one, other) => rank(one) - rank(other));
}

/** `group/Kind`; the core group is empty. */
export function typeOf({ apiVersion, kind }: KubeObject): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** The identity of an object: two manifests of one object share it. */
export function identityOf(object: KubeObject): string {
  const group = groupOf(object.apiVersion);
  return group === '' ? describe(refOf(object)) : `${describe(refOf(object))} of ${group}`;
}
