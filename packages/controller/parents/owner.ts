import { controllerOf, groupOf, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';

/**
 * The parent that manages this object, if it is of that kind: one name, or none. A name from an event is a key to read, nothing more.
 * The version of the parent's kind does not matter.
 */
export function ownerOf(
  object: KubeObject | undefined,
  parent: Pick<ObjectRef, 'apiVersion' | 'kind'>,
): readonly ObjectRef[] {
  const { apiVersion, kind } = parent;
  const owner = object && controllerOf(object);
  if (object === undefined || owner === undefined || owner.kind !== kind) return [];
  if (groupOf(owner.apiVersion) !== groupOf(apiVersion)) return [];
  return [{ apiVersion, kind, namespace: object.metadata.namespace ?? '', name: owner.name }];
}
