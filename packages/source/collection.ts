import type { KubeObject } from '../controller/domain/kube-object.ts';
import type { LooksAt } from '../controller/domain/looks-at.ts';
import type { Announced } from './known.ts';
import { announcedFrom } from './news.ts';
import { viewOf } from './view.ts';

/** A collection to watch. */
export interface Watched {
  readonly apiVersion: string;
  readonly kind: string;
  /** The namespace; empty: all. */
  readonly namespace: string;
  /** A label selector; empty: everything. */
  readonly selector: string;
  /** The path of the collection: `/api/v1/pods`. */
  readonly path: string;
  /** Only the names count: nothing but the metadata of an object is read. */
  readonly metadataOnly: boolean;
  /** The fields of the status that functions look at: a change of any other part of the status is not sent. */
  readonly looksAt: LooksAt;
}

/** The name in the file: another selection is another collection. */
export function nameOf({ path, selector, metadataOnly }: Watched): string {
  return `${path}?${selector}${metadataOnly ? '#metadata' : ''}`;
}

/** The digest of what functions look at. If only metadata is read, any change may concern them. */
export function viewIn(object: KubeObject, { metadataOnly, looksAt }: Watched): string {
  return metadataOnly ? (object.metadata.resourceVersion ?? '') : viewOf(object, looksAt);
}

/** What the file keeps of an object. */
export function announcedIn(object: KubeObject, watched: Watched): Announced {
  return announcedFrom(object, viewIn(object, watched));
}

/** Whether something that functions look at differs from what was announced. */
export function isOther(object: KubeObject, watched: Watched, announced: Announced | undefined): boolean {
  return announced?.uid !== object.metadata.uid || announced?.view !== viewIn(object, watched);
}
