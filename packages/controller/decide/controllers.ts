import { controllerOf, describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { NamedQuery } from './resource.ts';

/** One read each, so at most 32, of the oldest objects first: a tenant who makes thousands of newer ones cannot crowd out the older. */
export const mostControllers = 32;

/** Reads the controllers, of one kind, of these objects, but for the one that is known already. */
export function controllersOf(
  objects: readonly KubeObject[],
  {
    name,
    except,
    ...kind
  }: Pick<ObjectRef, 'apiVersion' | 'kind'> & { readonly name: string; readonly except: string },
): readonly NamedQuery[] {
  const refs = new Map<string, ObjectRef>();
  for (const object of objects.toSorted(byAge)) {
    const controller = controllerOf(object);
    const ref = { ...kind, namespace: object.metadata.namespace ?? '', name: controller?.name ?? '' };
    if (controller?.kind === kind.kind && controller.uid !== except) refs.set(describe(ref), ref);
  }
  return [...refs.values()].slice(0, mostControllers).map((ref) => ({ name, query: { what: 'object', ref } }));
}

function byAge({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  const [left = '', right = ''] = [one.creationTimestamp, other.creationTimestamp];
  return left < right ? -1 : left > right ? 1 : 0;
}
