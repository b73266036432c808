import { asKnudgeError } from '../../controller/domain/errors.ts';
import type { EventLog } from '../../controller/domain/event-log.ts';
import { type BreakerParts, createBreaker, type Patience } from './breaker.ts';
import { createMissing, type Missing } from './missing.ts';

export interface BoundedParts extends Pick<BreakerParts, 'now' | 'after' | 'onAway'> {
  readonly log: EventLog;
  /** Called for each one that is refused: the Broker reports that nowhere. */
  readonly onRefused: (what: 'event' | 'dead-letter') => void;
  readonly onBack: (missing: number) => void;
}

/**
 * No other delivery waits behind an event (eventing/event-log.yaml), so a slow store is given time: less than the time-out of
 * one try, five seconds, because an event whose answer comes too late is sent again, when there is most to do.
 */
export const forEvent: Patience = { begun: 4000, done: 4500 };

/** The sender of the event waits for its dead letter too, so the answer comes soon; the Broker comes again with a refused one. */
const forLetter: Patience = { begun: 500, done: 1500 };

/** Milliseconds. The channel retries a refused event for this long; what is missing then is a gap. */
export const patience = 100_000;

/** Milliseconds to the next try to write a gap. */
const interval = 5000;

/**
 * The same log, whose writers wait for a bounded time. If it is full or away they get `unavailable`, and at once while it keeps
 * failing. An event that was answered so is not kept: it was withdrawn before its write began, or the write failed. Only if a write
 * that had begun does not end in time is the result unknown, and the answer is `outcome-unknown`. What stays missing becomes a gap.
 */
export function createBounded(parts: BoundedParts): EventLog {
  const { log, now, onRefused } = parts;
  const missing = createMissing();
  const gaps = gapWriter(missing, parts);
  const attempt = createBreaker({ ...parts, onBack: () => parts.onBack(missing.count()) });
  return {
    ...log,
    append: async (event) => {
      const key = JSON.stringify([event.source, event.id]);
      let isKept = false;
      const keep = async (withdrawn: AbortSignal): Promise<boolean> => {
        const fresh = await log.append(event, withdrawn);
        isKept = true;
        missing.found(key);
        return fresh;
      };
      try {
        return await attempt(keep, forEvent);
      } catch (thrown) {
        onRefused('event');
        if (isKept) throw thrown;
        missing.miss({ key, at: now(), reason: asKnudgeError(thrown).message });
        gaps.later();
        throw thrown;
      }
    },
    appendDeadLetter: async (letter) => {
      try {
        return await attempt((withdrawn) => log.appendDeadLetter(letter, withdrawn), forLetter);
      } catch (thrown) {
        onRefused('dead-letter');
        throw thrown;
      }
    },
    appendDeliveries: (deliveries) => attempt((withdrawn) => log.appendDeliveries(deliveries, withdrawn), forEvent),
    close: async () => {
      await gaps.now().catch(() => undefined);
      await log.close();
    },
  };
}

/** Writes gaps, also when no event comes any more: a gap that could be written shows that the store is back. */
function gapWriter(missing: Missing, { log, after, now }: BoundedParts) {
  let stop: (() => void) | undefined;
  const write = async (until: number): Promise<void> => {
    const { gap, forget } = missing.until(until);
    if (gap === undefined) return;
    await log.noteGap(gap);
    forget();
  };
  const run = async (): Promise<void> => {
    await write(now() - patience).catch(() => undefined);
    stop = undefined;
    if (missing.count() > 0) later();
  };
  const later = (): void => {
    stop ??= after(interval, () => void run());
  };
  return {
    later,
    now: (): Promise<void> => {
      stop?.();
      return write(Number.POSITIVE_INFINITY);
    },
  };
}
