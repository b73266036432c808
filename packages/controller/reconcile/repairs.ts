import { isSameStatus } from '../decide/same-status.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Notice, Status, Write } from '../domain/plan.ts';

/** What one reconcile changes, in all its passes. */
export interface Repairs {
  /** A write that was taken, with the parent before and after it. */
  note(ref: ObjectRef, write: Write, parent: { readonly before: KubeObject; readonly after: KubeObject }): void;
  /** What has been changed so far; undefined where nothing has. */
  made(): Repair | undefined;
}

/** For people: what was found by looking, and mended. */
export interface Repair {
  /** The parent as it was written last. */
  readonly parent: KubeObject;
  /** `create Deployment shop/web`, each once. */
  readonly what: readonly string[];
  readonly notice: Notice;
}

/**
 * Keeps what a reconcile changes. Every write counts but what time alone has brought, and a status that says nothing new: one that
 * follows other writes unchanged (R3), or whose only news are its own times.
 */
export function keepRepairs(): Repairs {
  const what = new Set<string>();
  let parent: KubeObject | undefined;
  return {
    note: (ref, write, { before, after }) => {
      if (write.do === 'delete' && write.byClock === true) return;
      parent = after;
      if (write.do !== 'status' || isNews(write.status, before)) what.add(`${write.do} ${describe(ref)}`);
    },
    made: () => (parent === undefined || what.size === 0 ? undefined : repairOf(parent, [...what])),
  };
}

interface WithStatus extends KubeObject {
  readonly status?: object;
}

function isNews(status: object, { status: before = {} }: WithStatus): boolean {
  return !isSameStatus(timeless(status), timeless(before));
}

/** Without the times at which it was written, or at which a condition turned, and without what was written of late. */
function timeless(status: object): Pick<Status, 'conditions'> {
  const own = { lastReconciled: undefined, recentWrites: undefined };
  const { conditions = [], ...rest } = { ...status, ...own } as Partial<Status>;
  return { ...rest, conditions: conditions.map((condition) => ({ ...condition, lastTransitionTime: '' })) };
}

function repairOf(parent: KubeObject, what: readonly string[]): Repair {
  const note = `No event had announced it, the resync found it: ${what.join(', ')}`;
  return { parent, what, notice: { type: 'Normal', reason: 'FoundByResync', note } };
}
