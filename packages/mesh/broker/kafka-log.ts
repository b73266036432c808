import type { CloudEvent } from '../cloud-event.ts';
import { keepPositions, type Positions } from './kafka-positions.ts';
import { openStore, type Store, type Stored } from './kafka-store.ts';
import { createTail } from './kafka-tail.ts';

/** The topic of a Broker: events in partitions, and the position of each consumer. */
export interface Log {
  /** Resolves when the event is on disk. Rejects if the disk refuses it. */
  append(partition: number, event: CloudEvent): Promise<void>;
  /** Events after an offset, oldest first; only those that are in the file. */
  read(partition: number, after: number, limit: number): readonly Stored[];
  readonly positions: Pick<Positions, 'at' | 'move'>;
  close(): void;
}

export interface LogParts {
  readonly file: string;
  readonly consumers: readonly string[];
  readonly partitions: number;
  /** Called if there are new events in these partitions. */
  readonly onAppended: (partitions: ReadonlySet<number>) => void;
  readonly onTrouble: (why: string) => void;
}

interface Waiting {
  readonly partition: number;
  readonly event: CloudEvent;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/** Opens the log. Events that come while others are on their way to the disk share the next sync. */
export function openLog({ file, consumers, partitions, onAppended, onTrouble }: LogParts): Log {
  const store = openStore(file, consumers, partitions);
  const positions = keepPositions({ store, consumers, partitions, onTrouble });
  const latest = store.latest();
  const tails = Array.from({ length: partitions }, () => createTail(latest));
  let waiting: Waiting[] = [];
  /** In the file, and not synced yet. */
  let written: Waiting[] = [];
  let syncing: readonly Waiting[] = [];

  /** Delivery begins at once, also while a sync is under way: the sender has no answer yet. */
  const write = (): void => {
    const batch = waiting;
    waiting = [];
    const offsets = batch.length === 0 ? undefined : tryWrite(store, batch);
    if (offsets === undefined) return;
    for (const [index, { partition, event }] of batch.entries()) {
      tails[partition]?.push({ offset: offsets[index] ?? 0, partition, event });
    }
    written.push(...batch);
    positions.settleSoon();
    onAppended(new Set(batch.map(({ partition }) => partition)));
    if (syncing.length === 0) sync();
  };
  /** One sync at a time: what is written meanwhile shares the next one. */
  const sync = (): void => {
    syncing = written;
    written = [];
    if (syncing.length === 0) return;
    store.sync().then(
      () => finish(accept),
      (cause) => finish(({ reject }) => reject(cause)),
    );
  };
  const finish = (tell: (one: Waiting) => void): void => {
    syncing.forEach(tell);
    sync();
  };

  return {
    append: (partition, event) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ partition, event, resolve, reject });
      if (waiting.length === 1) setImmediate(write);
      return promise;
    },
    read: (partition, after, limit) => tails[partition]?.after(after, limit) ?? store.read(partition, after, limit),
    positions,
    close: () => {
      write();
      const kept = [...syncing, ...written];
      [syncing, written] = [[], []];
      positions.close();
      store.close();
      kept.forEach(accept);
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
