import { describe, type KubeObject, type ObjectRef, refOf } from '../domain/kube-object.ts';
import { annotations } from '../domain/names.ts';
import type { Precondition, Write } from '../domain/plan.ts';
import { differs, isOtherwiseFixed } from './differs.ts';
import { belongsTo } from './owned.ts';
import { straysOf } from './strays.ts';

/** What stands between the observed children and the desired ones. */
export interface ChildWork {
  readonly writes: readonly Write[];
  /** Objects of our names that are not ours: Knudge never touches them, and reports them in a condition. */
  readonly foreign: readonly string[];
  /** Objects that must go before ours can be made. */
  readonly leaving: readonly string[];
  /** Children that somebody else had changed, and that are mended or replaced. */
  readonly repaired: readonly ObjectRef[];
  /** A child was taken away, to be made anew in the next pass. */
  readonly again: boolean;
}

type Roles<Value> = ReadonlyMap<string, Value>;

/** By role. */
export interface Children {
  readonly desired: Roles<KubeObject>;
  readonly observed: Roles<KubeObject | undefined>;
  /** Folders in which nobody else may mount anything: a Pod of ours that has more there is mended. */
  readonly mounts?: readonly string[];
}

interface Of {
  readonly owner: KubeObject;
  readonly mounts: readonly string[];
}

/** Creates what is missing, applies what differs, deletes what is no longer desired; touches nothing else. */
export function planChildren(owner: KubeObject, { desired, observed, mounts = [] }: Children): ChildWork {
  const works = [...desired].map(([role, child]) => workOn(child, observed.get(role), { owner, mounts }));
  const writes = works.flatMap(({ write }) => (write === undefined ? [] : [write]));
  const found = (is: (work: Work) => boolean | undefined): readonly ObjectRef[] =>
    works.filter(is).flatMap(({ live }) => (live === undefined ? [] : [refOf(live)]));
  return {
    writes: [...writes, ...prune(owner, desired, observed)],
    foreign: found(({ isForeign }) => isForeign).map(describe),
    leaving: found(({ isToGo }) => isToGo).map(describe),
    repaired: found(({ isMended }) => isMended),
    again: writes.some((write) => isRemoval(write, 'Background')),
  };
}

/** What there is to do about one child. */
interface Work {
  readonly live: KubeObject | undefined;
  readonly write?: Write;
  readonly isForeign?: boolean;
  /** It must have gone before ours can be made. */
  readonly isToGo?: boolean;
  readonly isMended?: boolean;
}

function workOn(child: KubeObject, live: KubeObject | undefined, { owner, mounts }: Of): Work {
  if (live === undefined) return { live, write: { do: 'create', object: child } };
  const belonging = belongsTo(live, owner);
  if (belonging === 'foreign') return { live, isForeign: true };
  if (belonging === 'outgoing' || isLeaving(live)) return { live, isToGo: true };
  const write = mendOf(child, live, mounts);
  if (write === undefined) return { live };
  return { live, write, isToGo: isRemoval(write, 'Foreground'), isMended: isOfSomebodyElse(child, live) };
}

function isRemoval(write: Write, propagation: Deletion['propagation']): boolean {
  return write.do === 'delete' && write.propagation === propagation;
}

/** What makes the live child the desired one, in place wherever that can be; undefined where it is. */
function mendOf(child: KubeObject, live: KubeObject, mounts: readonly string[]): Write | undefined {
  const strays = straysOf(child, live, mounts);
  if (!differs(child, live) && strays.length === 0) return undefined;
  if (isOtherwiseFixed(child, live)) return removalOf(live);
  return { do: 'apply', object: child, live, ...(strays.length > 0 && { strays }) };
}

/** Whether what differs is another's work: Knudge wrote the same before, as its hash says, or somebody took the hash away. */
function isOfSomebodyElse(child: KubeObject, live: KubeObject): boolean {
  const hash = live.metadata.annotations?.[annotations.specHash];
  return hash === undefined || hash === child.metadata.annotations?.[annotations.specHash];
}

/** Deletes of our children that are no longer desired. */
function prune(owner: KubeObject, desired: Roles<KubeObject>, observed: Roles<KubeObject | undefined>): Write[] {
  return [...observed].flatMap(([role, live]) => {
    if (live === undefined || desired.has(role) || isLeaving(live)) return [];
    return belongsTo(live, owner) === 'ours' ? [removalOf(live)] : [];
  });
}

type Deletion = Extract<Write, { readonly do: 'delete' }>;

/** A Deployment goes only when its Pods have gone: those of its successor would fight with them for what only one Pod may have. */
function removalOf(live: KubeObject): Deletion {
  return deletion(live, live.kind === 'Deployment' ? 'Foreground' : 'Background');
}

/** A delete that hits this very version of this very object. */
export function deletion(live: KubeObject, propagation: Deletion['propagation']): Deletion {
  return { do: 'delete', ref: refOf(live), precondition: preconditionOf(live), propagation };
}

export function preconditionOf({ metadata }: KubeObject): Precondition {
  return { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '' };
}

/** Whether it has been deleted already and waits for its finalizers or its grace period. */
export function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
