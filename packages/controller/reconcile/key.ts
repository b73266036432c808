import { resourceOf } from '../decide/resources.ts';
import type { ObjectRef } from '../domain/kube-object.ts';

/** A name as a text. One for every version of a kind: they are the same object. */
export function keyOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  return JSON.stringify([resourceOf({ apiVersion, kind })?.apiVersion ?? apiVersion, kind, namespace, name]);
}

/** The name in such a text, in the version that is stored. */
export function refOfKey(key: string): ObjectRef {
  const [apiVersion = '', kind = '', namespace = '', name = ''] = JSON.parse(key) as readonly string[];
  return { apiVersion, kind, namespace, name };
}
