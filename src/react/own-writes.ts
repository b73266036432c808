import type { Change } from '../domain/change.ts';
import { describe, type KubeObject, refOf } from '../domain/kube-object.ts';

/** Versions that this process has written, and after which nothing was left to do. */
export interface OwnWrites {
  /** Takes what a run over a parent has written, each as the API server answered. */
  note(parent: string, written: readonly KubeObject[]): void;
  /** Whether an event tells of nothing but such a write of a run over this parent. */
  isTold(parent: string, change: Change): boolean;
}

/** So many versions are kept, the oldest go first: their events come within seconds. */
const most = 4096;

/**
 * Keeps which versions of which objects this process has written itself. What is in an event of such a version it knew when it ended: who
 * changes the object afterwards makes another version, with an event of its own. Neither a field manager nor a hash tells that, for
 * anybody may write under both.
 */
export function keepOwnWrites(): OwnWrites {
  const versions = new Map<string, string>();
  return {
    note: (parent, written) => {
      for (const object of written) versions.set(versionOf(object), parent);
      for (const oldest of versions.keys()) {
        if (versions.size <= most) break;
        versions.delete(oldest);
      }
    },
    isTold: (parent, { verb, hint, isReplay = false }) => {
      // Of a deletion the version may be the one before it, and who replays an event wants the object looked at.
      if (hint === undefined || isReplay || (verb !== 'added' && verb !== 'updated')) return false;
      return versions.get(versionOf(hint)) === parent;
    },
  };
}

/** An object of one name and uid in one version. */
function versionOf(object: KubeObject): string {
  const { uid, resourceVersion } = object.metadata;
  return JSON.stringify([describe(refOf(object)), uid, resourceVersion]);
}
