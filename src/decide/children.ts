import { podLayout } from '../domain/data-plane.ts';
import { describe, type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Precondition, Write } from '../domain/plan.ts';
import { differs, hasLeftover, isBlocked } from './differs.ts';
import { belongsTo } from './owned.ts';

/** Whatever is mounted there is ours. */
const ownFolders = [podLayout.configPath, podLayout.endpointsPath, podLayout.identityPath, podLayout.tlsPath];

/** What stands between the observed children and the desired ones. */
export interface ChildWork {
  readonly writes: readonly Write[];
  /** Objects of our names that are not ours: never touched, told in a condition. */
  readonly foreign: readonly string[];
  /** Objects that must go before ours can be made. */
  readonly leaving: readonly string[];
  /** Children that were there and are mended or replaced. */
  readonly repaired: readonly string[];
  /** A child was taken away, to be made anew in the next pass. */
  readonly again: boolean;
}

type Roles<Value> = ReadonlyMap<string, Value>;

/** Creates what is missing, applies what differs, deletes what is no longer desired; touches nothing else. */
export function planChildren(
  owner: KubeObject,
  desired: Roles<KubeObject>,
  observed: Roles<KubeObject | undefined>,
): ChildWork {
  const writes: Write[] = [];
  const foreign: string[] = [];
  const leaving: string[] = [];
  const repaired: string[] = [];
  let again = false;
  for (const [role, child] of desired) {
    const live = observed.get(role);
    if (live === undefined) {
      writes.push({ do: 'create', object: child });
      continue;
    }
    const belonging = belongsTo(live, owner);
    const name = describe(refOf(live));
    if (belonging === 'foreign') foreign.push(name);
    else if (belonging === 'outgoing' || isLeaving(live)) leaving.push(name);
    else if (differs(child, live) || hasLeftover(child, live, ownFolders)) {
      // Without any other difference an apply has been tried, and has left it.
      const blocked = !differs(child, live) || isBlocked(child, live);
      writes.push(blocked ? deletion(live, 'Background') : { do: 'apply', object: child, live });
      again ||= blocked;
      repaired.push(name);
    }
  }
  return { writes: [...writes, ...prune(owner, desired, observed)], foreign, leaving, repaired, again };
}

/** Deletes of our children that are no longer desired. */
function prune(owner: KubeObject, desired: Roles<KubeObject>, observed: Roles<KubeObject | undefined>): Write[] {
  return [...observed].flatMap(([role, live]) => {
    if (live === undefined || desired.has(role) || isLeaving(live)) return [];
    return belongsTo(live, owner) === 'ours' ? [deletion(live, 'Background')] : [];
  });
}

/** A delete that hits this very version of this very object. */
export function deletion(live: KubeObject, propagation: 'Background' | 'Foreground'): Write {
  return { do: 'delete', ref: refOf(live), precondition: preconditionOf(live), propagation };
}

export function preconditionOf({ metadata }: KubeObject): Precondition {
  return { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '' };
}

/** Whether it has been deleted already and waits for its finalizers or its grace period. */
export function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
