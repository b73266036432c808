import { controllerOf, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import type { Oracle, Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { cleanupFinalizer } from '../../../resources/distributed-service/names.ts';
import { hasSucceeded, isParent, ownerUidOf, parentsIn, roleKeysOf } from './accessors.ts';
import { type FullChange, historyOf } from './history.ts';
import { lastRead, type Pass, passesOf, writesOf } from './passes.ts';

/**
 * O6: the finalizer stands before the first child, and leaves only when a pass has seen that no child is left; the tunnel
 * goes first and with all that it owns. No run brings a parent back. At rest there is no child without its owner, and no
 * parent that cannot go, unless somebody else's finalizer holds it or what it owns.
 */
export const finalizer: Oracle = (trace) => {
  const { found, say } = findings('O6');
  for (const { by, type, object, at } of trace.changes) {
    if (by.who === 'run' && type === 'ADDED' && isParent(object)) say(`${nameOf(refOf(object))} was made by a run`, at);
  }
  for (const pass of passesOf(trace)) {
    for (const { call, role } of writesOf(pass)) {
      const what = role === 'owner' ? earlyLeave(pass, call) : childBreach(pass, call, role);
      if (what !== undefined) say(what, call.at);
    }
  }
  for (const what of [...orphans(trace), ...stuck(trace)]) say(what);
  return found;
};

/** The finalizer is taken off although this pass had seen a child of the owner, or had not looked. */
function earlyLeave(pass: Pass, call: TracedCall): string | undefined {
  const { object: owner } = lastRead(pass, 'owner', call.at);
  const kept = pick(call.body, 'metadata', 'finalizers');
  if (call.verb !== 'patch-merge' || owner === undefined || !isHeld(owner)) return undefined;
  if (Array.isArray(kept) && kept.includes(cleanupFinalizer)) return undefined;
  const left = [...roleKeysOf(pass.parent).values()].filter((role) => {
    const { read, object } = lastRead(pass, role, call.at);
    return !read || (object !== undefined && isOwn(object, owner));
  });
  const name = nameOf(pass.parent);
  if (owner.metadata.deletionTimestamp === undefined) return `${name} lost its finalizer although nobody deleted it`;
  return left.length > 0 ? `${name} lost its finalizer before ${left.join(', ')} had gone` : undefined;
}

function isHeld({ metadata }: KubeObject): boolean {
  return (metadata.finalizers ?? []).includes(cleanupFinalizer);
}

function isOwn(child: KubeObject, { metadata }: KubeObject): boolean {
  const controller = controllerOf(child);
  return (controller?.uid ?? child.metadata.labels?.[labels.ownerUid]) === metadata.uid;
}

function childBreach(pass: Pass, call: TracedCall, role: string): string | undefined {
  const { object: owner } = lastRead(pass, 'owner', call.at);
  if (owner === undefined || owner.kind !== 'DistributedService') return undefined;
  if (call.verb === 'create') return unheldBreach(pass, call, owner);
  if (call.verb !== 'delete' || owner.metadata.deletionTimestamp === undefined) return undefined;
  if (role === 'tunnel') {
    const isForeground = pick(call.body, 'propagationPolicy') === 'Foreground';
    return isForeground ? undefined : `${nameOf(call.ref)} was deleted without waiting for its Pods`;
  }
  const { object: tunnel } = lastRead(pass, 'tunnel', call.at);
  const isUp = tunnel !== undefined && isOwn(tunnel, owner);
  return isUp ? `${nameOf(call.ref)} was deleted before the tunnel had gone` : undefined;
}

function unheldBreach(pass: Pass, call: TracedCall, owner: KubeObject): string | undefined {
  const isPut = writesOf(pass).some(
    ({ call: other }) => other.verb === 'patch-merge' && other.at < call.at && hasSucceeded(other),
  );
  if (isHeld(owner) || isPut) return undefined;
  return `${nameOf(call.ref)} was made before ${nameOf(refOf(owner))} had its finalizer`;
}

function orphans(trace: Trace): readonly string[] {
  const uids = new Set(parentsIn(trace.resting).map(({ metadata }) => metadata.uid));
  const set = freed(trace);
  return trace.resting.flatMap((object) => {
    const uid = ownerUidOf(object) ?? (controllerOf(object) ? undefined : object.metadata.labels?.[labels.ownerUid]);
    if (uid === undefined || uids.has(uid) || set.has(object.metadata.uid ?? '')) return [];
    if (object.metadata.deletionTimestamp !== undefined && isHeldByOthers(object)) return [];
    return [`${nameOf(refOf(object))} is left of an owner that is gone`];
  });
}

/** What somebody else set free, now or before, by a deletion that leaves orphans or by hand; or made as a copy. */
function freed(trace: Trace): ReadonlySet<string> {
  const isFreed = ({ by, object, before }: FullChange): boolean =>
    by.who !== 'run' &&
    controllerOf(object) === undefined &&
    (before === undefined || controllerOf(before) !== undefined);
  const history = historyOf(trace);
  const now = history.changes.filter(isFreed).map(({ object }) => object);
  const before = [...history.stateBefore(0).values()].filter((object) => controllerOf(object) === undefined);
  return new Set([...now, ...before].map(({ metadata }) => metadata.uid ?? ''));
}

const finalizersOfCluster: ReadonlySet<string> = new Set([cleanupFinalizer, 'foregroundDeletion', 'orphan']);

function stuck(trace: Trace): readonly string[] {
  const { resting } = trace;
  const set = freed(trace);
  return parentsIn(resting)
    .filter((parent) => !resting.some((object) => isPodOf(parent, object) && isKept(object, set, resting)))
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .filter((parent) => !dependentsOf(parent, resting).some(isHeldByOthers))
    .filter((parent) => isHeld(parent) || !isHeldByOthers(parent))
    .map((parent) => `${nameOf(refOf(parent))} is being deleted and cannot go`);
}

/** A deletion waits for the Pods of its tunnel. */
function isPodOf({ metadata }: KubeObject, object: KubeObject): boolean {
  return object.kind === 'Pod' && object.metadata.labels?.[labels.ownerUid] === metadata.uid;
}

/** Somebody has set its ReplicaSet free, or the Deployment of that: a person has to take it away. */
function isKept(object: KubeObject, set: ReadonlySet<string>, among: readonly KubeObject[]): boolean {
  const by = controllerOf(object)?.uid;
  if (by === undefined || set.has(by)) return by !== undefined;
  const keeper = among.find(({ metadata }) => metadata.uid === by);
  return keeper !== undefined && isKept(keeper, set, among);
}

function isHeldByOthers({ metadata }: KubeObject): boolean {
  return (metadata.finalizers ?? []).some((name) => !finalizersOfCluster.has(name));
}

function dependentsOf(owner: KubeObject, objects: readonly KubeObject[]): readonly KubeObject[] {
  const own = objects.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid));
  return own.flatMap((object) => [object, ...dependentsOf(object, objects)]);
}
