import { KnudgeError } from '../../controller/domain/errors.ts';
import type { EventFilter, RecordedEvent } from '../../controller/domain/event-log.ts';

/** Whether a filter selects an event, as the stores do: `since` is included, `until` is not. Throws `invalid-request` for a wrong time. */
export function createMatcher({
  since,
  until,
  after,
  before,
  ...texts
}: EventFilter): (event: RecordedEvent) => boolean {
  const [from, to] = [timeIn(since) ?? Number.NEGATIVE_INFINITY, timeIn(until) ?? Number.POSITIVE_INFINITY];
  const wanted = Object.entries(texts) as [keyof typeof texts, string | undefined][];
  return (event) => {
    const at = Date.parse(event.time);
    return (
      !(at < from || at >= to) &&
      event.seq > (after ?? 0) &&
      event.seq < (before ?? Number.POSITIVE_INFINITY) &&
      wanted.every(([field, value]) => value === undefined || event[field] === value)
    );
  };
}

function timeIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return ms;
  throw new KnudgeError('invalid-request', `${JSON.stringify(text)} is not a time such as 2026-01-02T03:04:05Z`);
}
