import { trim } from './keeping.ts';
import { oneAtATime, throttled } from './throttle.ts';
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

/** How often an event was asked for: a function that starts takes seconds to answer. */
const mostTries = 6;
/** Milliseconds after which an event that has an answer gets no further one, as a rule. */
const settled = 5000;
/** Milliseconds from the first call to a question, from a question to the next, and between two for one event at least. */
const pause = { first: 300, next: 1500, same: 1400 } as const;

/** How often an event was asked for. */
export interface Tries {
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly last: number;
}

interface Asking {
  /** Asks what functions answered to these events, and keeps it. */
  readonly read: (events: readonly Looked[]) => Promise<unknown>;
  /** Whether an answer to the event at this place is kept. */
  readonly isAnswered: (seq: number) => boolean;
  /** By the place of an event. */
  readonly tries: Map<number, Tries>;
}

/**
 * Has the answers to the events that were wanted last read, a moment later, and again until functions have had the time to answer. It
 * comes to a question however often it is called, and has one question at a time.
 */
export function askerOf({ read, isAnswered, tries }: Asking): (events: readonly Looked[]) => void {
  let wanted: readonly Looked[] = [];
  let later: ReturnType<typeof setTimeout> | undefined;
  const isOpen = ({ seq, time }: Looked): boolean => {
    const isYoung = Date.now() - Date.parse(time) < settled;
    return (isYoung || !isAnswered(seq)) && (tries.get(seq)?.count ?? 0) < mostTries;
  };
  const ask = oneAtATime(async () => {
    clearTimeout(later);
    const now = Date.now();
    const open = wanted.filter(isOpen);
    if (open.length === 0) return;
    const due = open.filter(({ seq }) => now - (tries.get(seq)?.last ?? 0) >= pause.same);
    for (const { seq } of due) {
      const { count } = tries.get(seq) ?? { count: 0 };
      // The one that was asked for last is the last one to go.
      tries.delete(seq);
      tries.set(seq, { count: count + 1, last: now });
    }
    trim(tries);
    if (due.length > 0) await read(due);
    later = setTimeout(ask, pause.next);
  });
  const soon = throttled(pause.first, ask);
  return (events) => {
    wanted = events;
    soon.call();
  };
}
