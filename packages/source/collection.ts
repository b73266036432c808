import type { KubeObject } from '../controller/domain/kube-object.ts';
import type { LooksAt } from '../controller/domain/looks-at.ts';
import type { Announced } from './known.ts';
import { announcedFrom } from './news.ts';
import { viewOf } from './view.ts';

/** A collection that is watched. */
export interface Watched {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty: every one. */
  readonly namespace: string;
  /** Of labels; empty: everything. */
  readonly selector: string;
  /** The path of the collection: `/api/v1/pods`. */
  readonly path: string;
  /** Names alone: no more is read of an object than its metadata. */
  readonly metadataOnly: boolean;
  /** What somebody looks at in the status of its objects: what changes nothing else there is not sent. */
  readonly looksAt: LooksAt;
}

/** As the file names it: who asks for another selection follows another collection. */
export function nameOf({ path, selector, metadataOnly }: Watched): string {
  return `${path}?${selector}${metadataOnly ? '#metadata' : ''}`;
}

/** Of an object of which no more than its metadata is read, any change may be one of what functions look at. */
export function viewIn(object: KubeObject, { metadataOnly, looksAt }: Watched): string {
  return metadataOnly ? (object.metadata.resourceVersion ?? '') : viewOf(object, looksAt);
}

/** What the file keeps of it. */
export function announcedIn(object: KubeObject, watched: Watched): Announced {
  return announcedFrom(object, viewIn(object, watched));
}

/** Whether functions look at something that is other than what was announced. */
export function isOther(object: KubeObject, watched: Watched, announced: Announced | undefined): boolean {
  return announced?.uid !== object.metadata.uid || announced?.view !== viewIn(object, watched);
}
