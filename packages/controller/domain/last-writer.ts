import { fieldsOf } from './from-outside.ts';
import { lastWritten, type Writing } from './last-written.ts';

/** What is known of a version, beside its own `managedFields`. */
export interface Known {
  /** Those of the version before it. */
  readonly before?: readonly Writing[] | undefined;
  /** The places where the object differs from the version before it, as `/status/phase`. */
  readonly changed?: readonly string[] | undefined;
}

/**
 * The entry of `managedFields` that is the last write. It is one that the version before does not have; where none is new, one of the
 * newest second that owns what differs. Undefined where several programs may have written, and where nobody can know: an update that
 * only removes fields leaves no mark of its own.
 */
export function lastWriter<One extends Writing>(
  entries: readonly One[],
  { before, changed = [] }: Known = {},
): One | undefined {
  const fresh = before === undefined ? [] : without(entries, before);
  if (fresh.length === 0 && without(before ?? [], entries).length > 0) return undefined;
  const isOfStatus = changed.every((place) => place === '/status' || place.startsWith('/status/'));
  const last = ownersAmong(lastWritten(fresh.length > 0 ? fresh : entries, isOfStatus), changed);
  return new Set(last.map(({ manager }) => manager)).size === 1 ? last.at(-1) : undefined;
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

/** The entries that are not held by one of the others. */
function without<One extends Writing>(entries: readonly One[], others: readonly Writing[]): readonly One[] {
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
