import type { Filter } from './filters.ts';
import { hasObject, objectOf } from './objects.ts';
import { kindOf } from './outcomes.ts';
import type { Delivery, RecordedEvent } from './types.ts';

/** Whether the page shows an event: by what the log has searched for already, and by what only the page knows. */
export function isWanted(event: RecordedEvent, filter: Filter, tries: readonly Delivery[] | undefined): boolean {
  const { since, until, q, only } = filter;
  const fields = (['type', 'kind', 'namespace', 'name', 'id'] as const).every(
    (field) => filter[field] === undefined || event[field] === filter[field],
  );
  if (!fields || (since !== undefined && event.time < since) || (until !== undefined && event.time > until))
    return false;
  if (q !== undefined && !textOf(event).includes(q.toLowerCase())) return false;
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

function textOf(event: RecordedEvent): string {
  return JSON.stringify(event).toLowerCase();
}
