import type { ManagedFieldsEntry } from './kube-object.ts';

/** What `managedFields` say of who wrote. */
export type Writing = Pick<ManagedFieldsEntry, 'manager' | 'operation' | 'subresource' | 'time' | 'fieldsV1'>;

/** What is known of a version, beside its own `managedFields`. */
export interface Known<One> {
  /** Those of the version before it. */
  readonly before?: readonly One[] | undefined;
  /** The places where the object differs from the version before it, as `/status/phase`. */
  readonly changed?: readonly string[] | undefined;
}

/**
 * Of `managedFields` the entries that may be the last write, in their order; empty where nobody can know, for an update that only
 * removes fields leaves no mark of its own. An entry that the version before does not have is the last write. Where none is new, as
 * the API server names times by the second, it is one of the newest second that owns what differs. Where that is not known, a
 * status was written after what it is the status of.
 */
export function lastWritten<One extends Writing>(
  entries: readonly One[],
  { before, changed = [] }: Known<One> = {},
): readonly One[] {
  const fresh = before === undefined ? [] : without(entries, before);
  if (fresh.length === 0 && without(before ?? [], entries).length > 0) return [];
  const candidates = fresh.length > 0 ? fresh : entries;
  const newest = candidates.map(timeOf).toSorted().at(-1);
  const together = candidates.filter((entry) => timeOf(entry) === newest);
  const isStatus = changed.every((place) => place === '/status' || place.startsWith('/status/'));
  const apt = together.filter(({ subresource }) => (subresource === 'status') === isStatus);
  return ownersAmong(apt.length > 0 ? apt : together, changed);
}

/** Those that name the most of one of these places; an owner whose fields others have taken names the beginning of it still. */
function ownersAmong<One extends Writing>(entries: readonly One[], places: readonly string[]): readonly One[] {
  const steps = places.map((place) => place.split('/').slice(1));
  const depths = entries.map(({ fieldsV1 }) => Math.max(0, ...steps.map((each) => depthIn(fieldsV1, each))));
  const deepest = Math.max(...depths);
  return entries.filter((_, index) => depths[index] === deepest);
}

/** How many steps of a way to a field a manager's entry names. In a list it ends: items are not told apart. */
function depthIn(fieldsV1: unknown, [first, ...rest]: readonly string[]): number {
  const [fields, field] = [fieldsOf(fieldsV1), `f:${first}`];
  return first !== undefined && Object.hasOwn(fields, field) ? 1 + depthIn(fields[field], rest) : 0;
}

/** The one entry that is the last write; undefined where several programs may have made it, and where nobody can know. */
export function lastWriter<One extends Writing>(entries: readonly One[], known?: Known<One>): One | undefined {
  const all = lastWritten(entries, known);
  return new Set(all.map(({ manager }) => manager)).size === 1 ? all.at(-1) : undefined;
}

function timeOf({ time = '' }: Writing): string {
  return time;
}

/** The entries that are not held by one of the others. */
function without<One extends Writing>(entries: readonly One[], others: readonly One[]): readonly One[] {
  return entries.filter((entry) => !others.some((other) => isHeldBy(other, entry)));
}

/** Whether `inner` is the same manager's entry as `outer`, of the same time, and names no field that `outer` does not. */
function isHeldBy(outer: Writing, inner: Writing): boolean {
  const isSame = (['manager', 'operation', 'subresource', 'time'] as const).every((key) => outer[key] === inner[key]);
  return isSame && isWithin(outer.fieldsV1, inner.fieldsV1);
}

function isWithin(outer: unknown, inner: unknown): boolean {
  const fields = fieldsOf(outer);
  return Object.entries(fieldsOf(inner)).every(
    ([key, value]) => Object.hasOwn(fields, key) && isWithin(fields[key], value),
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
