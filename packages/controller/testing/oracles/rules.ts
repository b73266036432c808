import { resourceIn } from '../../decide/resource-in.ts';
import { controllerOf, describe, type KubeObject, refOf } from '../../domain/kube-object.ts';
import { labels, manager } from '../../domain/names.ts';
import { insistedOn } from '../insisted-on.ts';
import type { TracedCall } from '../trace.ts';
import { nameOf, pick } from '../trace-words.ts';
import { isOk, isRead, isStatus, type Judge, type Judged, keyOf, runsOf } from './judged.ts';

type Resources = Judged['resources'];

const isParent = ({ ref }: TracedCall, resources: Resources): boolean => resourceIn(resources, ref) !== undefined;

/** A write to an object that is no parent, and no nudge of a Pod. */
const isChildWrite = (call: TracedCall, resources: Resources): boolean =>
  !isRead(call) && !isParent(call, resources) && !(call.verb === 'patch-merge' && call.resource === 'pods');

/** R1: what is written was read, and its parent was read after it. */
export const childrenFirst: Judge = ({ trace, resources }) =>
  runsOf(trace).flatMap((calls) =>
    calls.flatMap((write, index) => {
      if (!isChildWrite(write, resources)) return [];
      const before = calls.slice(0, index);
      const read = before.findLastIndex((call) => isRead(call) && tells(call, write));
      const parent = before.findLastIndex((call) => call.verb === 'get' && isParentOf(call, write, resources));
      if (parent < 0 || read < 0)
        return [
          `${write.verb} of ${nameOf(write.ref)} without ${read < 0 ? 'a read of it' : 'a read of a parent'} (R1)`,
        ];
      return read < parent ? [] : [`${nameOf(write.ref)} was read after its parent, and written (R1)`];
    }),
  );

/** Whether a read says how an object is, or that it is not there. */
function tells({ verb, ref, seen }: TracedCall, of: Pick<TracedCall, 'ref'>): boolean {
  if (!isOk(seen.status) && seen.status !== 404) return false;
  if (verb === 'get') return keyOf(ref) === keyOf(of.ref);
  return ref.kind === of.ref.kind && (ref.namespace === '' || ref.namespace === of.ref.namespace);
}

/** A parent that names it as a child; of what no parent names, any parent. */
function isParentOf(call: TracedCall, { ref }: TracedCall, resources: Resources): boolean {
  const resource = resourceIn(resources, call.ref);
  if (resource === undefined) return false;
  const isNamed = resources.some((one) =>
    [...one.children({ ...ref, name: 'any' }).values()].some(({ kind }) => kind === ref.kind),
  );
  return !isNamed || [...resource.children(call.ref).values()].some((child) => keyOf(child) === keyOf(ref));
}

/** R2: a write insists on the very version that this run knew last; a creation comes where there was nothing. */
export const overWhatWasRead: Judge = ({ trace, resources }) =>
  runsOf(trace).flatMap((calls) =>
    calls.flatMap((write, index) => {
      if (isRead(write) || (!isParent(write, resources) && !isChildWrite(write, resources))) return [];
      const breach = breachOf(write, lastKnown(calls.slice(0, index), write));
      return breach === undefined ? [] : [`${write.verb} of ${nameOf(write.ref)} ${breach} (R2)`];
    }),
  );

function breachOf(write: TracedCall, known: KubeObject | undefined): string | undefined {
  if (write.verb === 'create') return known && 'although it was there';
  const { uid, resourceVersion } = insistedOn(write);
  if (uid === undefined || resourceVersion === undefined) return 'over any version';
  const isThat = known?.metadata.uid === uid && known?.metadata.resourceVersion === resourceVersion;
  return isThat ? undefined : 'over another version than was read';
}

/** What the run saw last of an object, read or written by itself. */
function lastKnown(before: readonly TracedCall[], { ref }: TracedCall): KubeObject | undefined {
  for (const call of before.toReversed()) {
    if (call.verb === 'get' && call.seen.status === 404 && keyOf(call.ref) === keyOf(ref)) return undefined;
    const found = objectsIn(call).find((object) => keyOf({ ...refOf(object), kind: call.ref.kind }) === keyOf(ref));
    if (found !== undefined && call.verb !== 'delete') return found;
  }
  return undefined;
}

function objectsIn({ verb, ref, seen, fault = '' }: TracedCall): readonly KubeObject[] {
  if (!isOk(seen.status) || fault.includes('garble')) return [];
  const { apiVersion, kind } = ref;
  const items = verb === 'list' ? pick(seen.body, 'items') : [seen.body];
  const objects = Array.isArray(items) ? (items as readonly KubeObject[]) : [];
  return objects
    .filter((one) => typeof pick(one, 'metadata', 'name') === 'string')
    .map((one) => ({ ...one, apiVersion, kind }));
}

/** R3: the status is written last: no child after it, and always after a child, or nobody knows that the parent was the one that was read. */
export const statusLast: Judge = ({ trace, resources }) =>
  runsOf(trace).flatMap((calls) => {
    const answer = trace.answers.find(({ run }) => run === calls[0]?.run);
    const last = calls.findLastIndex((call) => isChildWrite(call, resources) && isOk(call.seen.status));
    const write = calls[last];
    if (write === undefined || isOfLeaving(calls, resources)) return [];
    // A pass that begins anew reads the parent after what was written: that is as good.
    const isTold = calls.slice(last).some((call) => isParent(call, resources) && (isStatus(call) || isRead(call)));
    const isEarly = calls.some((_, index) => isEarlyStatus(calls, index, resources));
    const name = `${write.verb} of ${nameOf(write.ref)}`;
    return [
      ...(isEarly ? [`the status was written before ${name} (R3)`] : []),
      ...(!isTold && isOk(answer?.status ?? 0) ? [`no status was written after ${name} (R3)`] : []),
    ];
  });

/** A status after which a child is written, without a read of the parent in between. */
function isEarlyStatus(calls: readonly TracedCall[], index: number, resources: Resources): boolean {
  const call = calls[index];
  if (call === undefined || !isStatus(call) || !isOk(call.done.status)) return false;
  const next = calls.slice(index + 1);
  const read = next.findIndex((one) => isRead(one));
  return next.slice(0, read < 0 ? undefined : read).some((one) => isChildWrite(one, resources));
}

/** A parent that is being deleted needs no status: it goes. */
function isOfLeaving(calls: readonly TracedCall[], resources: Resources): boolean {
  return calls.some(
    (call) => isParent(call, resources) && pick(call.seen.body, 'metadata', 'deletionTimestamp') !== undefined,
  );
}

/** Nothing is changed or deleted that belongs to somebody else. */
export const noForeignTouch: Judge = ({ trace, resources }) =>
  trace.changes.flatMap(({ by, type, object, before }) => {
    if (by.who !== 'run' || before === undefined || object.kind === 'Event') return [];
    if (resourceIn(resources, before) !== undefined || isOurs(before, resources)) return [];
    return [`${describe(refOf(object))} was ${type === 'DELETED' ? 'deleted' : 'changed'}, and it is somebody else's`];
  });

function isOurs(object: KubeObject, resources: Resources): boolean {
  const owner = controllerOf(object);
  if (owner !== undefined) return resourceIn(resources, owner) !== undefined;
  return object.metadata.labels?.[labels.managedBy] === manager;
}
