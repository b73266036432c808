import type { CloudEvent } from '../cloud-event.ts';
import type { Log } from './kafka-log.ts';
import type { Stored } from './kafka-store.ts';

/** One consumer in one partition. */
export interface Lane {
  /** The next event that the consumer wants. */
  next(): Begun | undefined;
  /** The number of events under way. */
  underWay(): number;
}

export interface Begun {
  readonly event: CloudEvent;
  /** Ends it. If it is not done, the position stays before it, and the next start begins there. */
  over(done: boolean): void;
}

export interface LaneParts {
  readonly consumer: string;
  readonly partition: number;
  readonly log: Log;
  readonly wants: (event: CloudEvent) => boolean;
}

/** Events that are read from the log at once. */
const readAhead = 16;

/** A lane that begins after the consumer's position in the log. */
export function createLane({ consumer, partition, log, wants }: LaneParts): Lane {
  let cursor = log.positions.at(consumer, partition);
  let ahead: readonly Stored[] = [];
  let at = 0;
  let underWay = 0;
  /** Events that were read and are above the position, in the order of offsets. */
  const open: { readonly offset: number; done: boolean }[] = [];

  const read = (): Stored | undefined => {
    if (at >= ahead.length) {
      ahead = log.read(partition, cursor, readAhead);
      at = 0;
    }
    const stored = ahead[at];
    if (stored === undefined) return undefined;
    at += 1;
    cursor = stored.offset;
    return stored;
  };

  /** The position is the last offset before the oldest event that is not done: later ones may be delivered twice. */
  const advance = (): void => {
    let first = 0;
    while (open[first]?.done) first += 1;
    const last = open[first - 1];
    if (last === undefined) return;
    open.splice(0, first);
    log.positions.move({ consumer, partition, offset: last.offset });
  };

  return {
    next: () => {
      for (let stored = read(); stored !== undefined; stored = read()) {
        const wanted = wants(stored.event);
        const entry = { offset: stored.offset, done: !wanted };
        open.push(entry);
        if (!wanted) continue;
        underWay += 1;
        const over = (done: boolean): void => {
          underWay -= 1;
          entry.done = done;
          advance();
        };
        return { event: stored.event, over };
      }
      advance();
      return undefined;
    },
    underWay: () => underWay,
  };
}
