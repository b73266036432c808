import type { KubeObject, ObjectMeta } from '../controller/domain/kube-object.ts';
import type { Announced } from './known.ts';

/** A change as an event tells it. */
export interface Happening {
  readonly verb: 'add' | 'update' | 'delete';
  readonly object: KubeObject;
}

/** Where an object is, within its kind: `shop/web`. */
export function placeOf({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/** What has happened to an object since it was announced, as far as its present state tells: another uid is another object. */
export function newsOf(
  object: KubeObject,
  { announced, view }: { readonly announced: Announced | undefined; readonly view: string },
): readonly Happening[] {
  if (announced === undefined) return [{ verb: 'add', object }];
  if (announced.uid !== object.metadata.uid) {
    return [
      { verb: 'delete', object: JSON.parse(announced.tombstone) as KubeObject },
      { verb: 'add', object },
    ];
  }
  return announced.view === view ? [] : [{ verb: 'update', object }];
}

/** What is kept of an object that is announced. */
export function announcedFrom(object: KubeObject, view: string): Announced {
  return { uid: object.metadata.uid ?? '', view, tombstone: JSON.stringify(tombstoneOf(object)) };
}

/** Who was concerned by an object stands in its labels and its owners: what else it was, nobody asks once it is gone. */
function tombstoneOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, labels, ownerReferences } = metadata;
  const kept: ObjectMeta = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(labels !== undefined && { labels }),
    ...(ownerReferences !== undefined && { ownerReferences }),
  };
  return { apiVersion, kind, metadata: kept };
}
