import type { Position, Store } from './kafka-store.ts';

/** The position of each consumer of a log, and the events that no consumer needs any more. */
export interface Positions {
  at(consumer: string, partition: number): number;
  /** Says that the consumer is done with everything up to this offset. */
  move(position: Position): void;
  /** Writes and deletes a moment later, together with what comes until then. */
  settleSoon(): void;
  /** Writes what is not written yet. */
  close(): void;
}

export interface PositionsParts {
  readonly store: Store;
  readonly consumers: readonly string[];
  readonly partitions: number;
  readonly onTrouble: (why: string) => void;
}

/** Milliseconds in which positions and deletions are collected. After a crash at most the events of this time are delivered again. */
const settleMs = 100;

/** The positions in the store. Events that every consumer is done with are deleted from the store. */
export function keepPositions({ store, consumers, partitions, onTrouble }: PositionsParts): Positions {
  const positions = new Map(store.positions().map((position) => [keyOf(position), position]));
  const moved = new Map<string, Position>();
  const deletedTo = new Array<number>(partitions).fill(0);
  let timer: NodeJS.Timeout | undefined;

  const at = (consumer: string, partition: number): number =>
    positions.get(keyOf({ consumer, partition }))?.offset ?? 0;

  /** The offset up to which no consumer needs the events of a partition: all of them if there is no consumer. */
  const doneTo = (partition: number): number =>
    consumers.reduce((least, consumer) => Math.min(least, at(consumer, partition)), store.latest());

  const settle = (): void => {
    timer = undefined;
    const done = deletedTo
      .map((before, partition) => ({ partition, before, offset: doneTo(partition) }))
      .filter(({ before, offset }) => offset > before);
    try {
      store.write({ events: [], positions: [...moved.values()], done });
      moved.clear();
      for (const { partition, offset } of done) deletedTo[partition] = offset;
    } catch (thrown) {
      onTrouble(`positions could not be stored: ${String(thrown)}`);
    }
  };

  const settleSoon = (): void => {
    timer ??= setTimeout(settle, settleMs).unref();
  };

  return {
    at,
    move: (position) => {
      positions.set(keyOf(position), position);
      moved.set(keyOf(position), position);
      settleSoon();
    },
    settleSoon,
    close: () => {
      clearTimeout(timer);
      settle();
    },
  };
}

function keyOf({ consumer, partition }: Pick<Position, 'consumer' | 'partition'>): string {
  return `${partition} ${consumer}`;
}
