import { asKnudgeError } from '../../controller/domain/errors.ts';
import type { EventLog } from '../../controller/domain/event-log.ts';
import { type BreakerParts, createBreaker, type Patience } from './breaker.ts';
import { createMissing, type Missing } from './missing.ts';

export interface BoundedParts extends Pick<BreakerParts, 'now' | 'after' | 'onAway'> {
  readonly log: EventLog;
  /** One that is refused: the Broker will say so to nobody. */
  readonly onRefused: (what: 'event' | 'dead-letter') => void;
  readonly onBack: (missing: number) => void;
}

/**
 * Nobody waits behind an event (eventing/event-log.yaml), so a store that is slow is given time: below the time-out of one
 * try, five seconds, since one that is answered too late comes again, just when there is much to do.
 */
export const forEvent: Patience = { begun: 4000, done: 4500 };

/** A dead letter is the last word of the Broker, and whoever sent the event waits for it. */
const forLetter: Patience = { begun: 500, done: 1500 };

/** Milliseconds. An event that was refused is tried again for so long, by whoever brings it; what is missing then is a gap. */
export const patience = 100_000;

/** Milliseconds to the next try to write a gap. */
const interval = 5000;

/**
 * The same log, whose writers wait for a bounded time: where it is full or away they are answered `unavailable`, and while it
 * fails at once. What is answered so is not kept: it was withdrawn before it was begun, or it failed. Only where a write that
 * had begun does not end in time nobody knows, and the answer says `outcome-unknown`. What is missing in the end becomes a gap.
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
    close: async () => {
      await gaps.now().catch(() => undefined);
      await log.close();
    },
  };
}

/** Also where no event comes any more: a gap that could be written says that the store is back. */
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
