import { KnudgeError } from '../../controller/domain/errors.ts';
import type { LogReader } from '../../controller/domain/event-log.ts';

type Readable = Pick<LogReader, 'events' | 'deliveries'>;

export interface Calm extends Readable {
  /** Questions were left out, because there were too many. */
  isCut(): boolean;
}

export interface CalmParts {
  /** Questions in all; each one more is answered by nothing. */
  readonly most: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly over?: AbortSignal;
}

/** Answers that are remembered: few, as one may have megabytes. */
const mostKnown = 20;

/** Questions at a time: a store reads and writes one after the other, and those who write wait for a short time only. */
const atOnce = 4;

/** The same log for an answer that takes many questions: a few at a time, the same one soon after only once, and none that nobody waits for. */
export function calmly(log: Readable, { most, over }: CalmParts): Calm {
  const known = new Map<string, Promise<readonly unknown[]>>();
  const turns = takeTurns();
  let [asked, isCut] = [0, false];
  const remember = (key: string, answer: Promise<readonly unknown[]>): void => {
    known.delete(key);
    known.set(key, answer);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  };
  const ask = <Item>(key: string, read: () => Promise<readonly Item[]>): Promise<readonly Item[]> => {
    const before = known.get(key);
    if (before !== undefined) {
      remember(key, before);
      return before as Promise<readonly Item[]>;
    }
    if (asked >= most) {
      isCut = true;
      return Promise.resolve([]);
    }
    asked += 1;
    const answer = turns(() => {
      if (over?.aborted) throw new KnudgeError('unavailable', 'nobody waits for this answer any more');
      return read();
    });
    remember(key, answer);
    return answer;
  };
  return {
    events: (...given) => ask(`events ${JSON.stringify(given)}`, () => log.events(...given)),
    deliveries: (...given) => ask(`deliveries ${JSON.stringify(given)}`, () => log.deliveries(...given)),
    isCut: () => isCut,
  };
}

/** Does pieces of work, a few at a time, in the order in which they come. */
function takeTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
