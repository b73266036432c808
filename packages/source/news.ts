import type { KubeObject, ObjectMeta } from '../controller/domain/kube-object.ts';
import type { Announced } from './known.ts';

/** A change, in the terms of an event. */
export interface Happening {
  readonly verb: 'add' | 'update' | 'delete';
  readonly object: KubeObject;
}

/** The place of an object within its kind: `shop/web`. */
export function placeOf({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/** What has happened to an object since it was announced, as its present state shows: another uid is another object. */
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

/** What is kept of an announced object. */
export function announcedFrom(object: KubeObject, view: string): Announced {
  return { uid: object.metadata.uid ?? '', view, tombstone: JSON.stringify(tombstoneOf(object)) };
}

/** Labels and owners say whom an object concerned: nothing else is needed once it is gone. */
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
