import type { Resource } from '../decide/resource.ts';
import type { ObjectRef } from '../domain/kube-object.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** A kind of children, and the resources that have such. */
export interface Child extends Kind {
  readonly parents: readonly Kind[];
}

/** Each kind of children once. What is made last comes first, for it uses what was made before. */
export function childKindsOf(resources: readonly Resource[]): readonly Child[] {
  const families = resources.map(({ apiVersion, kind, ...resource }) => ({
    parent: { apiVersion, kind },
    kinds: childrenOf({ apiVersion, kind, ...resource })
      .map((child) => ({ apiVersion: child.apiVersion, kind: child.kind }))
      .toReversed(),
  }));
  const all = new Map(families.flatMap(({ kinds }) => kinds).map((kind) => [nameOf(kind), kind]));
  return [...all].map(([name, kind]) => ({
    ...kind,
    parents: families.filter(({ kinds }) => kinds.some((one) => nameOf(one) === name)).map(({ parent }) => parent),
  }));
}

/** Each child of a resource with what it is called, for an owner of the name `any`. */
export function childrenOf({ apiVersion, kind, children }: Resource): readonly ObjectRef[] {
  return [...children({ apiVersion, kind, namespace: 'any', name: 'any' }).values()];
}

function nameOf({ apiVersion, kind }: Kind): string {
  return `${apiVersion}/${kind}`;
}
