import type { CloudEvent } from '../cloud-event.ts';
import { keepPositions, type Positions } from './kafka-positions.ts';
import { openStore, type Store, type Stored } from './kafka-store.ts';
import { createTail } from './kafka-tail.ts';

/** The topic of a Broker: events in partitions, and how far each consumer is. */
export interface Log {
  /** Resolves when the event is on disk. Rejects where the disk does not take it. */
  append(partition: number, event: CloudEvent): Promise<void>;
  /** Events after an offset, oldest first; only such that are on disk. */
  read(partition: number, after: number, limit: number): readonly Stored[];
  readonly positions: Pick<Positions, 'at' | 'move'>;
  close(): void;
}

export interface LogParts {
  readonly file: string;
  readonly consumers: readonly string[];
  readonly partitions: number;
  /** There is something new to read. */
  readonly onAppended: () => void;
  readonly onTrouble: (why: string) => void;
}

interface Waiting {
  readonly partition: number;
  readonly event: CloudEvent;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/** Opens the log. Events that come in together share a transaction, and so its fsync. */
export function openLog({ file, consumers, partitions, onAppended, onTrouble }: LogParts): Log {
  const store = openStore(file, consumers, partitions);
  const positions = keepPositions({ store, consumers, partitions, onTrouble });
  const latest = store.latest();
  const tails = Array.from({ length: partitions }, () => createTail(latest));
  let waiting: Waiting[] = [];

  const commit = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const offsets = tryWrite(store, batch);
    if (offsets === undefined) return;
    for (const [index, { partition, event, resolve }] of batch.entries()) {
      tails[partition]?.push({ offset: offsets[index] ?? 0, partition, event });
      resolve();
    }
    positions.settleSoon();
    onAppended();
  };

  return {
    append: (partition, event) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ partition, event, resolve, reject });
      if (waiting.length === 1) setImmediate(commit);
      return promise;
    },
    read: (partition, after, limit) => tails[partition]?.after(after, limit) ?? store.read(partition, after, limit),
    positions,
    close: () => {
      commit();
      positions.close();
      store.close();
    },
  };
}

function tryWrite(store: Store, batch: readonly Waiting[]): readonly number[] | undefined {
  try {
    return store.write({ events: batch, positions: [], done: [] });
  } catch (cause) {
    for (const { reject } of batch) reject(cause);
    return undefined;
  }
}
