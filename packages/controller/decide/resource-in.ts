import { groupOf, type ObjectRef } from '../domain/kube-object.ts';
import type { Resource } from './resource.ts';

/** The one of these that manages an object, in whatever version the object was named; undefined where none of them does. */
export function resourceIn(
  resources: readonly Resource[],
  { apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>,
): Resource | undefined {
  return resources.find((resource) => resource.kind === kind && groupOf(resource.apiVersion) === groupOf(apiVersion));
}
