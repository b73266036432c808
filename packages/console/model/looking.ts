import type { Delivery, RecordedEvent } from './types.ts';

export type Looked = Pick<RecordedEvent, 'seq' | 'time'>;

/**
 * Of events whose deliveries were asked for, newest first, those whose answers have all been read: where there were more than could be
 * read, those that are younger than the oldest answer.
 */
export function readOf(
  events: readonly Looked[],
  { deliveries, isCut }: { readonly deliveries: readonly Pick<Delivery, 'at'>[]; readonly isCut: boolean },
): readonly Looked[] {
  if (!isCut) return events;
  const from = Math.min(...deliveries.map(({ at }) => Date.parse(at)));
  return events.filter(({ time }) => Date.parse(time) >= from);
}
