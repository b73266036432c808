import type { KubeObject } from './kube-object.ts';

/** One line of what somebody may do: `get apps/deployments/scale`; the core group is empty. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** Plural. */
  readonly resource: string;
  /** Empty: the object itself. */
  readonly subresource: string;
  /** The one object; empty: all of them. */
  readonly name: string;
  /** Empty: all namespaces. */
  readonly namespace: string;
}

/** A Role or a ClusterRole. */
export interface Role extends KubeObject {
  readonly rules?:
    | readonly {
        readonly apiGroups?: readonly string[];
        readonly resources?: readonly string[];
        readonly resourceNames?: readonly string[];
        readonly verbs?: readonly string[];
      }[]
    | null;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface Binding extends KubeObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[];
}

/** A ServiceAccount. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** What the roles among these objects let a ServiceAccount do, by their bindings; each right once. */
export function rightsOf(account: Account, objects: readonly KubeObject[]): readonly Right[] {
  const rights = bindingsOf(account, objects).flatMap((binding) => rightsBy(binding, objects));
  return [...new Map(rights.map((right) => [JSON.stringify(right), right])).values()];
}

/** What a binding lends to whom it names: in its namespace alone where it has one, be its role a ClusterRole or not. */
export function rightsBy(binding: Binding, objects: readonly KubeObject[]): readonly Right[] {
  const namespace = placeOf(binding) ?? '';
  // A role without rules is stored with null.
  return (roleOf(binding, objects)?.rules ?? []).flatMap((rule) => rightsIn(rule, namespace));
}

/** The namespace that a binding is for; undefined: all of them. */
export function placeOf({ kind, metadata }: Binding): string | undefined {
  return kind === 'RoleBinding' ? metadata.namespace : undefined;
}

/** The bindings among these objects that name a ServiceAccount. */
export function bindingsOf(account: Account, objects: readonly KubeObject[]): readonly Binding[] {
  const isOne = ({ kind, namespace, name }: NonNullable<Binding['subjects']>[number]): boolean =>
    kind === 'ServiceAccount' && namespace === account.namespace && name === account.name;
  return objects.filter((one): one is Binding => isBinding(one) && (one.subjects ?? []).some(isOne));
}

export function isBinding(object: KubeObject): object is Binding {
  return object.kind === 'RoleBinding' || object.kind === 'ClusterRoleBinding';
}

/** The role that a binding names, if it is among these objects. */
export function roleOf({ roleRef, metadata }: Binding, objects: readonly KubeObject[]): Role | undefined {
  const isOfCluster = roleRef.kind === 'ClusterRole';
  return objects.find(
    (one): one is Role =>
      one.kind === roleRef.kind &&
      one.metadata.name === roleRef.name &&
      (isOfCluster || one.metadata.namespace === metadata.namespace),
  );
}

function rightsIn(
  { apiGroups = [], resources = [], resourceNames = [], verbs = [] }: NonNullable<Role['rules']>[number],
  namespace: string,
): readonly Right[] {
  const names = resourceNames.length === 0 ? [''] : resourceNames;
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) => {
      const [resource = '', subresource = ''] = path.split('/');
      return names.flatMap((name) => verbs.map((verb) => ({ verb, group, resource, subresource, name, namespace })));
    }),
  );
}

/** `patch deployments/scale of apps`, `get leases x of coordination.k8s.io`; the namespace is not part of it. */
export function textOfRight({ verb, group, resource, subresource, name }: Right): string {
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const one = name === '' ? what : `${what} ${name}`;
  return group === '' ? `${verb} ${one}` : `${verb} ${one} of ${group}`;
}
