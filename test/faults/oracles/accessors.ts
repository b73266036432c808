import { mostPods } from '../../../packages/controller/cluster/nudge.ts';
import {
  controllerOf,
  groupOf,
  type KubeObject,
  type ObjectRef,
  refOf,
} from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedCall, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { resourceOf, resources } from './managed.ts';

/** One text for an object, whatever the version it was named in. */
export function keyOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  return `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;
}

export function keyOfObject(object: KubeObject): string {
  return keyOf(refOf(object));
}

export function isParent({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): boolean {
  return resourceOf({ apiVersion, kind }) !== undefined;
}

/** The uid of the parent of ours that controls an object; undefined where it is nobody's or somebody else's. */
export function ownerUidOf(object: KubeObject): string | undefined {
  const owner = controllerOf(object);
  return owner !== undefined && isParent(owner) ? owner.uid : undefined;
}

/** The parent that controls a child, if it is among these. */
export function ownerOfChild(child: KubeObject, objects: readonly KubeObject[]): KubeObject | undefined {
  const uid = ownerUidOf(child);
  return uid === undefined ? undefined : objects.find(({ metadata }) => metadata.uid === uid);
}

export function parentsIn(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((object) => isParent(object));
}

/** Every child that a parent may have, by its key: the role that it has. */
export function roleKeysOf(parent: ObjectRef): ReadonlyMap<string, string> {
  const children = resourceOf(parent)?.children(parent) ?? new Map<string, ObjectRef>();
  return new Map([...children].map(([role, ref]) => [keyOf(ref), role]));
}

/** Parents that anything in the trace names, each once. */
export function parentsOf(trace: Trace): readonly ObjectRef[] {
  const named = [
    ...trace.parents,
    ...[...trace.objects, ...trace.resting].map(refOf),
    ...trace.changes.map(({ object }) => refOf(object)),
    ...trace.calls.map(({ ref }) => ref),
  ].filter((ref) => ref.name !== '' && isParent(ref));
  return [...new Map(named.map((ref) => [keyOf(ref), inStoredVersion(ref)])).values()];
}

function inStoredVersion(ref: ObjectRef): ObjectRef {
  const { kind } = ref;
  return { ...ref, apiVersion: resources.find((resource) => resource.kind === kind)?.apiVersion ?? ref.apiVersion };
}

export function isRead({ verb }: TracedCall): boolean {
  return verb === 'get' || verb === 'list';
}

/** An Event for people, or a nudge: neither its coming nor its failing says anything of the work. */
export function isNotice(call: TracedCall): boolean {
  return call.resource === 'events' || isNudge(call);
}

/**
 * The Pods of a tunnel are looked for to be annotated, or one of them is: its kubelet then reads what is mounted. A reconcile
 * that wants to know how they are reads them too, and that is no nudge.
 */
export function isNudge({ verb, resource, query }: TracedCall): boolean {
  if (resource !== 'pods') return false;
  return verb === 'patch-merge' || (isOfTunnel(query) && verb === 'list' && query['limit'] === String(mostPods));
}

function isOfTunnel(query: TracedCall['query']): boolean {
  return (query['labelSelector'] ?? '').startsWith(`${labels.tunnel}=`);
}

/** The resync reports an orphan each time it finds it: one Event, which is there already the next time. */
export function isOfOrphan(event: unknown): boolean {
  return pick(event, 'reason') === 'Orphaned';
}

export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The object that a call was answered with, as the handler saw it. */
export function seenObject(call: TracedCall): KubeObject | undefined {
  return isOk(call.seen.status) && !isSpoilt(call) ? asObject(call.seen.body) : undefined;
}

/** Its answer came with a body that nobody could read, whatever its status. */
function isSpoilt({ fault = '' }: TracedCall): boolean {
  return fault.includes('garble');
}

/**
 * The handler had lost patience before the server began: the call stands in the trace where it was carried out, and for
 * the handler it was long over.
 */
export function isBelated({ fault = '', seen }: TracedCall): boolean {
  return fault.includes('before delay') && seen.status === 0;
}

const refusals: ReadonlySet<number> = new Set([400, 403, 413, 422]);

/** A denial of a webhook or a policy, and an apply that does not fit the schema, whatever status they come with (docs/errors.md). */
const refusalWords =
  /^admission webhook "[^"]*" denied the request|is forbidden: ValidatingAdmissionPolicy '|^failed to create typed patch object/;

/** A namespace is a moment old, and what it needs is not made yet. */
const soonWords = /error looking up service account /;

/** A write that was refused for good: it becomes a condition, and every resync tries it again. */
export function isRefused(call: TracedCall, told: TracedCall['seen'] = call.seen): boolean {
  if (isRead(call) || told.status < 400) return false;
  if (refusalWords.test(String(pick(jsonOf(told.body), 'message')))) return true;
  return (
    refusals.has(told.status) &&
    !isOtherObject(call, told) &&
    !soonWords.test(String(pick(jsonOf(told.body), 'message')))
  );
}

/** Another uid, or a failed `test` of a JSON patch, which names no cause: the object is not the one that was read. */
function isOtherObject({ verb }: TracedCall, { status, body }: TracedCall['seen']): boolean {
  const listed = pick(jsonOf(body), 'details', 'causes');
  const causes: readonly unknown[] = Array.isArray(listed) ? listed : [];
  if (causes.some((cause) => pick(cause, 'field') === 'metadata.uid')) return true;
  return status === 422 && verb === 'patch-json' && causes.length === 0;
}

/** A fault may have answered with a text. */
function jsonOf(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : body;
  } catch {
    return undefined;
  }
}

/** The handler learned that it succeeded, or that it did not; neither where nobody can know. */
export function hasSucceeded(call: TracedCall): boolean {
  return isOk(call.seen.status) && !isSpoilt(call);
}

export function hasFailed({ seen }: TracedCall): boolean {
  return !isOk(seen.status);
}

export function asObject(body: unknown): KubeObject | undefined {
  return typeof pick(body, 'metadata', 'name') === 'string' ? (body as KubeObject) : undefined;
}

/** Calls, changes and answers of runs alone. */
export type ChangeByRun = TracedChange & { readonly by: { readonly who: 'run' } };

export function byRuns(changes: readonly TracedChange[]): readonly ChangeByRun[] {
  return changes.filter((change): change is ChangeByRun => change.by.who === 'run');
}
