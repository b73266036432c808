import type { CloudEvent } from '../cloud-event.ts';
import type { TriggerSpec } from '../mesh-spec.ts';
import type { DeliveryResult } from './delivery.ts';
import { type Begun, createLane, type Lane } from './kafka-lane.ts';
import type { Log } from './kafka-log.ts';
import { wants } from './trigger-filter.ts';

/** One Trigger that reads the log. */
export interface Consumer {
  /** Says that there may be new events in these partitions; if absent, in any. */
  wake(partitions?: Iterable<number>): void;
  /** Begins no further event; resolves when those under way are over. */
  drain(): Promise<void>;
  /** Ignores the end of events from now on, so that they are delivered again after the next start. */
  stop(): void;
}

export interface ConsumerParts {
  readonly name: string;
  readonly trigger: TriggerSpec;
  readonly log: Log;
  readonly partitions: number;
  readonly deliver: (event: CloudEvent) => Promise<DeliveryResult>;
}

/** Events that one Trigger may have under way at a time, and how many of them from one partition, so that other partitions get a share. */
const most = { underWay: 64, ofPartition: { ordered: 1, unordered: 4 } } as const;

/** Ordered: one event of each partition at a time, retries and dead letter included. Unordered: many of each. */
export function createConsumer({ name, trigger, log, partitions, deliver }: ConsumerParts): Consumer {
  const lanes = Array.from({ length: partitions }, (_, partition) =>
    createLane({ consumer: name, partition, log, wants: (event) => wants(trigger.filters, event) }),
  );
  const mostOfLane = most.ofPartition[trigger.ordered ? 'ordered' : 'unordered'];
  const drained = Promise.withResolvers<void>();
  /** Lanes that may have an event to begin, the next one first. */
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

  /** Begins one event of each lane in turn, so that a long lane does not hold up the others. A full lane comes again when it has room. */
  const work = (): void => {
    for (const lane of ready) {
      if (draining || underWay >= most.underWay) return;
      ready.delete(lane);
      const begun = lane.underWay() < mostOfLane ? lane.next() : undefined;
      if (begun === undefined) continue;
      // Moved to the end: the loop comes to it again.
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
