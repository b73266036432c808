import { controllerOf, type KubeObject, type ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { ownerOf } from '../../packages/controller/parents/owner.ts';
import { childKinds } from './kinds.ts';

/** The parent that manages this object, if it is of a resource that has children of this kind. */
export function ownerOfChild(
  object: KubeObject | undefined,
  child: (typeof childKinds)[number]['kind'],
): readonly ObjectRef[] {
  if (object === undefined || controllerOf(object) === undefined) return [];
  const kinds = childKinds.filter(({ kind }) => kind === child);
  const parents = kinds.flatMap((one): readonly Pick<ObjectRef, 'apiVersion' | 'kind'>[] => one.parents);
  return parents.flatMap((parent) => ownerOf(object, parent));
}
