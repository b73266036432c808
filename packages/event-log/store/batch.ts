import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';

export interface BatchParts<Item, Result> {
  /** Writes all items or none. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly sizeOf: (item: Item) => number;
  /** Items in one write; of several items, no more than have this many bytes together. */
  readonly mostAtOnce: number;
  readonly mostBytesAtOnce: number;
  /** Items that may wait beyond those being written; more are refused at once. */
  readonly mostWaiting: number;
  readonly mostBytes: number;
}

/** Adds an item to the batch; if `withdrawn` aborts while it waits, it is taken out and rejects with the signal's reason. */
export type Give<Item, Result> = (item: Item, withdrawn?: AbortSignal) => Promise<Result>;

/**
 * Items that arrive during a write are written together in the next one: many share one sync of the disk. A write that
 * fails because of one of its items is repeated item by item. Rejects with `unavailable` if too many items wait already.
 */
export function createBatch<Item, Result>(parts: BatchParts<Item, Result>): Give<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let bytes = 0;
  let isWriting = false;
  const work = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, fitting(waiting, parts));
      bytes -= batch.reduce((sum, { item }) => sum + parts.sizeOf(item), 0);
      await writeAll(batch, parts.write);
    }
    isWriting = false;
  };
  return (item, withdrawn) => {
    const size = parts.sizeOf(item);
    if (waiting.length >= parts.mostWaiting || bytes + size > parts.mostBytes) {
      return Promise.reject(new KnudgeError('unavailable', 'the event log is behind: too many events wait for it'));
    }
    bytes += size;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const one = { item, resolve, reject };
    waiting.push(one);
    withdrawn?.addEventListener('abort', () => {
      const place = waiting.indexOf(one);
      if (place < 0) return;
      waiting.splice(place, 1);
      bytes -= size;
      reject(asKnudgeError(withdrawn.reason));
    });
    if (!isWriting) void work();
    return promise;
  };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: KnudgeError) => void;
}

function fitting<Item, Result>(
  waiting: readonly Waiting<Item, Result>[],
  { mostAtOnce, mostBytesAtOnce, sizeOf }: BatchParts<Item, Result>,
): number {
  let [count, bytes] = [0, 0];
  for (const { item } of waiting) {
    bytes += sizeOf(item);
    if (count === mostAtOnce || (count > 0 && bytes > mostBytesAtOnce)) break;
    count += 1;
  }
  return count;
}

type Write<Item, Result> = BatchParts<Item, Result>['write'];

async function writeAll<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  write: Write<Item, Result>,
): Promise<void> {
  try {
    const results = await write(batch.map(({ item }) => item));
    batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    // The store is away, or the one item is at fault.
    if (error.retry === 'later' || batch.length === 1) return batch.forEach(({ reject }) => reject(error));
    for (const one of batch) await writeAll([one], write);
  }
}
