import type { Resource } from '../decide/resource.ts';
import { resourceIn } from '../decide/resource-in.ts';
import type { ObjectRef } from '../domain/kube-object.ts';

/** A name as a text. One for every version of a kind that these resources manage: they are the same object. */
export function keyOf({ apiVersion, kind, namespace, name }: ObjectRef, resources: readonly Resource[]): string {
  const stored = resourceIn(resources, { apiVersion, kind })?.apiVersion ?? apiVersion;
  return JSON.stringify([stored, kind, namespace, name]);
}

/** The name in such a text, in the version that is stored. */
export function refOfKey(key: string): ObjectRef {
  const [apiVersion = '', kind = '', namespace = '', name = ''] = JSON.parse(key) as readonly string[];
  return { apiVersion, kind, namespace, name };
}
