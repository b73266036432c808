import type { Change } from '../domain/change.ts';
import { describe, type KubeObject, refOf } from '../domain/kube-object.ts';

/** Versions that this process has read or written itself, and with which nothing is left to do. */
export interface KnownVersions {
  /** Takes what a run over a parent has read and written, each as the API server answered. */
  note(parent: string, objects: readonly KubeObject[]): void;
  /** Whether an event is about a version that a run over this parent knew, and so brings nothing new. */
  isTold(parent: string, change: Change): boolean;
}

/** This many versions are kept, the oldest go first: their events come within seconds. */
const most = 16_384;

/**
 * Keeps which versions of which objects were known to runs that ended with nothing left to do. The run has decided about
 * what an event of such a version holds: a later change of the object makes another version, with an event of its own. A field manager or
 * a hash would not prove that, for anybody may write under both.
 */
export function keepKnownVersions(): KnownVersions {
  const versions = new Set<string>();
  return {
    note: (parent, objects) => {
      for (const object of objects) {
        const key = keyOf(parent, object);
        // A set is in the order in which its members came.
        versions.delete(key);
        versions.add(key);
      }
      for (const oldest of versions) {
        if (versions.size <= most) break;
        versions.delete(oldest);
      }
    },
    isTold: (parent, { verb, hint, isReplay = false }) => {
      // Of a deletion the version may be the one before it, and who replays an event wants the object looked at.
      if (hint === undefined || isReplay || (verb !== 'added' && verb !== 'updated')) return false;
      return versions.has(keyOf(parent, hint));
    },
  };
}

/** An object of one name and uid in one version, as one parent is concerned by it. */
function keyOf(parent: string, object: KubeObject): string {
  const { uid, resourceVersion } = object.metadata;
  return JSON.stringify([parent, describe(refOf(object)), uid, resourceVersion]);
}
