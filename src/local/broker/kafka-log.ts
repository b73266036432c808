import type { CloudEvent } from '../cloud-event.ts';
import { keepPositions, type Positions } from './kafka-positions.ts';
import { openStore, type Store, type Stored } from './kafka-store.ts';
import { createTail } from './kafka-tail.ts';

/** The topic of a Broker: events in partitions, and how far each consumer is. */
export interface Log {
  /** Resolves when the event is on disk. Rejects where the disk does not take it. */
  append(partition: number, event: CloudEvent): Promise<void>;
  /** Events after an offset, oldest first; only such that are in the file. */
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

/** Opens the log. Events that come in while others are on their way to the disk share the next transaction and its sync. */
export function openLog({ file, consumers, partitions, onAppended, onTrouble }: LogParts): Log {
  const store = openStore(file, consumers, partitions);
  const positions = keepPositions({ store, consumers, partitions, onTrouble });
  const latest = store.latest();
  const tails = Array.from({ length: partitions }, () => createTail(latest));
  let waiting: Waiting[] = [];
  let syncing: readonly Waiting[] = [];

  /** Gives those whose events are in the file now. Delivery begins at once: nobody was promised anything yet. */
  const write = (): readonly Waiting[] => {
    const batch = waiting;
    waiting = [];
    const offsets = batch.length === 0 ? undefined : tryWrite(store, batch);
    if (offsets === undefined) return [];
    for (const [index, { partition, event }] of batch.entries()) {
      tails[partition]?.push({ offset: offsets[index] ?? 0, partition, event });
    }
    positions.settleSoon();
    onAppended();
    return batch;
  };
  const commit = (): void => {
    syncing = write();
    if (syncing.length > 0)
      store.sync().then(
        () => finish(accept),
        (cause) => finish(({ reject }) => reject(cause)),
      );
  };
  /** Then it is the turn of those who came meanwhile. */
  const finish = (tell: (one: Waiting) => void): void => {
    syncing.forEach(tell);
    commit();
  };

  return {
    append: (partition, event) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ partition, event, resolve, reject });
      if (waiting.length === 1 && syncing.length === 0) setImmediate(commit);
      return promise;
    },
    read: (partition, after, limit) => tails[partition]?.after(after, limit) ?? store.read(partition, after, limit),
    positions,
    close: () => {
      const written = [...syncing, ...write()];
      syncing = [];
      positions.close();
      store.close();
      written.forEach(accept);
    },
  };
}

function accept({ resolve }: Waiting): void {
  resolve();
}

function tryWrite(store: Store, batch: readonly Waiting[]): readonly number[] | undefined {
  try {
    return store.write({ events: batch, positions: [], done: [] });
  } catch (cause) {
    for (const { reject } of batch) reject(cause);
    return undefined;
  }
}
