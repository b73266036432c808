import { type Budget, mostBytes } from '../domain/budget.ts';
import { type KubeObject, type ObjectRef, refOf } from '../domain/kube-object.ts';
import type { Inputs, Resource } from './resource.ts';

/** What a pass may cost until the owner is read: all that its name alone says. */
export function firstBudget(resource: Resource, ref: ObjectRef, controllerNamespace: string): Budget {
  const lists = resource.lists?.(ref, controllerNamespace) ?? [];
  return { reads: resource.children(ref).size + lists.length + 1, writes: 0, bytes: mostBytes };
}

/** What a look at an owner at rest may cost besides the owner: its children by those queries, or by their names, a list of its own and its inputs. */
export function restBudget(resource: Resource, owner: KubeObject, queries: number): Budget {
  const { reads } = resource.cost(owner);
  return { reads: queries + resource.children(refOf(owner)).size + 1 + reads, writes: 0, bytes: 0 };
}

/** What it may cost until the owner is read. */
export const ownerBudget: Budget = { reads: 1, writes: 0, bytes: mostBytes };

/**
 * A pass gives back each object that earlier specs of the owner named by one write. Its budget has room for at most this many of these
 * writes.
 */
const mostKept = 128;

/**
 * What the same pass may cost besides, now that the owner is read: it is read once more, each child is written once, so is what was
 * listed by its name, and so are finalizers and status.
 */
export function passBudget(resource: Resource, owner: KubeObject, listed: Inputs): Budget {
  const { reads, writes } = resource.cost(owner);
  const children = resource.children(refOf(owner)).size;
  const kept = [...listed.values()].reduce((sum, objects) => sum + objects.length, 0);
  return { reads: reads + 1, writes: children + Math.min(kept, mostKept) + writes + 2, bytes: 0 };
}
