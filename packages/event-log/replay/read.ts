import { resyncTypes } from '../../controller/domain/change.ts';
import type { DeadLetterState, EventFilter, LogReader, RecordedEvent } from '../../controller/domain/event-log.ts';
import { readAll } from './read-all.ts';

/** Selects events of a log: those that came, or with a state the dead letters in that state. */
export interface Selection {
  readonly filter: EventFilter;
  readonly deadLetters?: DeadLetterState;
}

type Readable = Pick<LogReader, 'events' | 'deadLetters'>;

/** The same selection without what comes into the log from now on. */
export async function untilNow(log: Readable, { filter, deadLetters }: Selection): Promise<Selection> {
  const newest = { order: 'newest-first', limit: 1 } as const;
  const [last] = await (deadLetters === undefined ? log.events({}, newest) : log.deadLetters({}, newest));
  const before = Math.min((last?.seq ?? 0) + 1, filter.before ?? Number.POSITIVE_INFINITY);
  return { filter: { ...filter, before }, ...(deadLetters && { deadLetters }) };
}

/** The selected events or dead letters, oldest first, page by page, without those that leave the log meanwhile. */
export function readOldestFirst(log: Readable, { filter, deadLetters }: Selection): AsyncGenerator<RecordedEvent> {
  return deadLetters === undefined
    ? readAll(log.events, filter)
    : readAll(log.deadLetters, { ...filter, state: deadLetters });
}

/**
 * Without events that only wake the resync, unless they are asked for by type or id: a tick that is sent again asks for a
 * reconcile of every parent, and so does each of its continuations, while the events that follow from them are in the log too.
 */
export async function* withoutTicks(
  events: AsyncIterable<RecordedEvent>,
  { type, id }: EventFilter,
  onPassed: () => void = () => {},
): AsyncGenerator<RecordedEvent> {
  const isAskedFor = type !== undefined || id !== undefined;
  for await (const event of events) {
    if (isAskedFor || !ticks.includes(event.type)) yield event;
    else onPassed();
  }
}

/** The types of the events that are skipped. */
export const ticks: readonly string[] = Object.values(resyncTypes);
