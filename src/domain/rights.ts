import type { KubeObject } from './kube-object.ts';

/** One line of what somebody may do, in all namespaces: `get apps/deployments/scale`; the core group is empty. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** Plural. */
  readonly resource: string;
  /** Empty: the object itself. */
  readonly subresource: string;
}

interface Role extends KubeObject {
  readonly rules?: readonly {
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly verbs?: readonly string[];
  }[];
}

interface Binding extends KubeObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[];
}

/** What the ClusterRoles among these objects let a ServiceAccount do, by their ClusterRoleBindings; each right once. */
export function rightsOf(
  account: { readonly namespace: string; readonly name: string },
  objects: readonly KubeObject[],
): readonly Right[] {
  const bindings = objects.filter((one): one is Binding => one.kind === 'ClusterRoleBinding');
  const names = bindings
    .filter(({ subjects = [] }) =>
      subjects.some(
        (one) => one.kind === 'ServiceAccount' && one.namespace === account.namespace && one.name === account.name,
      ),
    )
    .map(({ roleRef }) => roleRef.name);
  const roles = objects.filter((one): one is Role => one.kind === 'ClusterRole' && names.includes(one.metadata.name));
  const rights = roles.flatMap(({ rules = [] }) => rules.flatMap(rightsIn));
  return [...new Map(rights.map((right) => [textOfRight(right), right])).values()];
}

function rightsIn({
  apiGroups = [],
  resources = [],
  verbs = [],
}: NonNullable<Role['rules']>[number]): readonly Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) => {
      const [resource = '', subresource = ''] = path.split('/');
      return verbs.map((verb) => ({ verb, group, resource, subresource }));
    }),
  );
}

/** `patch deployments/scale of apps`. */
export function textOfRight({ verb, group, resource, subresource }: Right): string {
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  return group === '' ? `${verb} ${what}` : `${verb} ${what} of ${group}`;
}
