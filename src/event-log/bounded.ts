import { asKnudgeError } from '../domain/errors.ts';
import type { EventLog } from '../domain/event-log.ts';
import { type BreakerParts, createBreaker } from './breaker.ts';

export interface BoundedParts extends Pick<BreakerParts, 'now' | 'after' | 'onAway'> {
  readonly log: EventLog;
  /** One that is refused: the Broker will say so to nobody. */
  readonly onRefused: (what: 'event' | 'dead-letter') => void;
  readonly onBack: (missing: number) => void;
}

/** Milliseconds that dead letters get to bring events after all, before the rest of them is a gap; and to the next try. */
const patience = 5000;

/** So many are known by name; more are only counted. */
const mostMissing = 100_000;

interface Absence {
  /** Those that are not in the log, as far as is known. */
  readonly missing: Set<string>;
  more: number;
  from: number;
  to: number;
  reason: string;
}

/**
 * The same log, whose writers wait for a short time only: where it is slow, full or away they are answered `unavailable`, from
 * the second on at once. What a slow one keeps after the answer is kept; what is missing in the end becomes a gap.
 */
export function createBounded(parts: BoundedParts): EventLog {
  const { log, now, onRefused } = parts;
  const absence: Absence = { missing: new Set(), more: 0, from: 0, to: 0, reason: '' };
  const gaps = gapWriter(absence, parts);
  const attempt = createBreaker({ ...parts, onBack: () => parts.onBack(countOf(absence)) });
  return {
    ...log,
    append: async (event) => {
      const key = JSON.stringify([event.source, event.id]);
      let isKept = false;
      const keep = async (): Promise<boolean> => {
        const fresh = await log.append(event);
        isKept = true;
        absence.missing.delete(key);
        return fresh;
      };
      try {
        return await attempt(keep, 'shortly');
      } catch (thrown) {
        onRefused('event');
        if (isKept) throw thrown;
        miss(absence, { key, now: now(), reason: asKnudgeError(thrown).message });
        gaps.later();
        throw thrown;
      }
    },
    appendDeadLetter: async (letter) => {
      try {
        return await attempt(() => log.appendDeadLetter(letter), 'longer');
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

function miss(absence: Absence, { key, now, reason }: { key: string; now: number; reason: string }): void {
  if (countOf(absence) === 0) absence.from = now;
  absence.to = now;
  absence.reason = reason;
  if (absence.missing.size < mostMissing) absence.missing.add(key);
  else absence.more += 1;
}

function countOf({ missing, more }: Absence): number {
  return missing.size + more;
}

/** Also where no event comes any more: a gap that could be written says that the store is back. */
function gapWriter(absence: Absence, { log, after }: BoundedParts) {
  let stop: (() => void) | undefined;
  const write = async (): Promise<void> => {
    const { missing, more, from, to, reason } = absence;
    const events = countOf(absence);
    if (events === 0) return;
    const names = [...missing];
    await log.noteGap({ from: timeOf(from), to: timeOf(to), events, reason });
    for (const name of names) missing.delete(name);
    absence.more -= more;
  };
  const run = async (): Promise<void> => {
    await write().catch(() => undefined);
    stop = undefined;
    if (countOf(absence) > 0) later();
  };
  const later = (): void => {
    stop ??= after(patience, () => void run());
  };
  const now = (): Promise<void> => {
    stop?.();
    return write();
  };
  return { now, later };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
