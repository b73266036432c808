import type { CloudEvent } from '../cloud-event.ts';
import type { TriggerSpec } from '../mesh-spec.ts';
import type { DeliveryResult } from './delivery.ts';
import { type Begun, createLane, type Lane } from './kafka-lane.ts';
import type { Log } from './kafka-log.ts';
import { wants } from './trigger-filter.ts';

/** One Trigger reading the log. */
export interface Consumer {
  /** There may be something new in these partitions; absent: in any. */
  wake(partitions?: Iterable<number>): void;
  /** Begins nothing any more; resolves when what has begun is over. */
  drain(): Promise<void>;
  /** What is over from now on is forgotten, and so delivered again after the next start. */
  stop(): void;
}

export interface ConsumerParts {
  readonly name: string;
  readonly trigger: TriggerSpec;
  readonly log: Log;
  readonly partitions: number;
  readonly deliver: (event: CloudEvent) => Promise<DeliveryResult>;
}

/** Events that one Trigger has under way at a time, and of these from one partition: the rest is for the others. */
const most = { underWay: 64, ofPartition: { ordered: 1, unordered: 4 } } as const;

/** Ordered: one event of each partition at a time, retries and dead letter included. Unordered: many of each. */
export function createConsumer({ name, trigger, log, partitions, deliver }: ConsumerParts): Consumer {
  const lanes = Array.from({ length: partitions }, (_, partition) =>
    createLane({ consumer: name, partition, log, wants: (event) => wants(trigger.filters, event) }),
  );
  const mostOfLane = most.ofPartition[trigger.ordered ? 'ordered' : 'unordered'];
  const drained = Promise.withResolvers<void>();
  /** Those that may have an event to begin, the one whose turn it is first. */
  const ready = new Set<Lane>();
  let underWay = 0;
  let draining = false;
  let stopped = false;

  const begin = (lane: Lane, { event, over }: Begun): void => {
    underWay += 1;
    void deliver(event).then((result) => {
      underWay -= 1;
      if (stopped) return;
      over(result !== 'abandoned');
      if (draining && underWay === 0) drained.resolve();
      ready.add(lane);
      work();
    });
  };

  /** One event of each lane in turn: a long lane does not hold the others back. One that is full comes again when an event of it is over. */
  const work = (): void => {
    for (const lane of ready) {
      if (draining || underWay >= most.underWay) return;
      ready.delete(lane);
      const begun = lane.underWay() < mostOfLane ? lane.next() : undefined;
      if (begun === undefined) continue;
      // To the end of the line: the loop comes to it again.
      ready.add(lane);
      begin(lane, begun);
    }
  };

  return {
    wake: (partitions = lanes.keys()) => {
      for (const partition of partitions) {
        const lane = lanes[partition];
        if (lane !== undefined) ready.add(lane);
      }
      work();
    },
    drain: () => {
      draining = true;
      if (underWay === 0) drained.resolve();
      return drained.promise;
    },
    stop: () => {
      draining = true;
      stopped = true;
    },
  };
}
