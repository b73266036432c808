import type { Filter } from './filters.ts';
import { hasObject, objectOf } from './objects.ts';
import { kindOf } from './outcomes.ts';
import type { Delivery, RecordedEvent } from './types.ts';

/** Whether an event that comes fits a filter, as far as it says that itself; `until` is the first time that does not fit. */
export function isWanted(event: RecordedEvent, filter: Filter): boolean {
  const { since, until } = filter;
  const fields = (['type', 'kind', 'namespace', 'name', 'id'] as const).every(
    (field) => filter[field] === undefined || event[field] === filter[field],
  );
  const at = Date.parse(event.time);
  return fields && (since === undefined || at >= Date.parse(since)) && (until === undefined || at < Date.parse(until));
}

/** Whether only the event log can say what fits: it knows what was there before an event, and how it searches. */
export function isOfServer({ q, changed }: Filter): boolean {
  return q !== undefined || changed !== undefined;
}

/** Whether a list that shows a part of its events shows this one: by what came of it. */
export function isShown(only: Filter['only'], tries: readonly Delivery[] | undefined): boolean {
  if (only === 'changes') return tries !== undefined && !isNoOp(tries);
  if (only === 'failed') return tries?.some((one) => kindOf(one) === 'failed') === true;
  return true;
}

/** All functions have answered, and none of them wrote anything or failed. */
export function isNoOp(tries: readonly Delivery[]): boolean {
  return tries.length > 0 && tries.every((one) => one.writes === 0 && kindOf(one) !== 'failed');
}

/** For each event the one before it about the same object, of a list that begins with the newest. */
export function predecessorsOf(events: readonly RecordedEvent[]): ReadonlyMap<number, RecordedEvent> {
  const younger = new Map<string, number>();
  const before = new Map<number, RecordedEvent>();
  for (const event of events) {
    const object = objectOf(event);
    if (object === '' || !hasObject(event)) continue;
    const seq = younger.get(object);
    if (seq !== undefined) before.set(seq, event);
    younger.set(object, event.seq);
  }
  return before;
}
