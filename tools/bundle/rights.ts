import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

interface Rule {
  readonly verbs: readonly string[];
}

/** What a ServiceAccount may do: one entry of a ClusterServiceVersion's permissions. */
export interface Permission {
  readonly serviceAccountName: string;
  readonly rules: readonly Rule[];
}

interface Binding extends KubeObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly name: string }[];
}

/** The rights that bindings of a kind grant, in their order. */
export function permissionsBy(
  kind: 'ClusterRoleBinding' | 'RoleBinding',
  objects: readonly KubeObject[],
): readonly Permission[] {
  return objects
    .filter((object): object is Binding => object.kind === kind)
    .flatMap(({ roleRef, subjects }) => {
      const role = objects.find(({ kind: its, metadata }) => its === roleRef.kind && metadata.name === roleRef.name);
      if (role === undefined) throw new Error(`${kind} to ${roleRef.kind} ${roleRef.name}, which is not there`);
      const { rules } = role as unknown as { readonly rules: readonly Rule[] };
      return subjects.map(({ name }) => ({ serviceAccountName: name, rules }));
    });
}

/** ServiceAccounts that no binding names: OLM makes only those that one names. */
export function withoutRights(objects: readonly KubeObject[]): readonly KubeObject[] {
  const named = (['ClusterRoleBinding', 'RoleBinding'] as const)
    .flatMap((kind) => permissionsBy(kind, objects))
    .map(({ serviceAccountName }) => serviceAccountName);
  return objects.filter(({ kind, metadata }) => kind === 'ServiceAccount' && !named.includes(metadata.name));
}
