import type { CloudEvent } from '../cloud-event.ts';
import type { TriggerSpec } from '../mesh-spec.ts';
import type { DeliveryResult } from './delivery.ts';
import { type Begun, createLane } from './kafka-lane.ts';
import type { Log } from './kafka-log.ts';
import { wants } from './trigger-filter.ts';

/** One Trigger reading the log. */
export interface Consumer {
  /** There may be something new. */
  wake(): void;
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
  let turn = 0;
  let underWay = 0;
  let draining = false;
  let stopped = false;

  const begin = ({ event, over }: Begun): void => {
    underWay += 1;
    void deliver(event).then((result) => {
      underWay -= 1;
      if (stopped) return;
      over(result !== 'abandoned');
      if (draining && underWay === 0) drained.resolve();
      wake();
    });
  };

  /** The next event of the lane whose turn it is, or of one after it: a long lane does not hold the others back. */
  const next = (): Begun | undefined => {
    for (const _ of lanes) {
      const lane = lanes[turn];
      turn = (turn + 1) % lanes.length;
      if (lane === undefined || lane.underWay() >= mostOfLane) continue;
      const begun = lane.next();
      if (begun !== undefined) return begun;
    }
    return undefined;
  };

  const wake = (): void => {
    while (!draining && underWay < most.underWay) {
      const begun = next();
      if (begun === undefined) return;
      begin(begun);
    }
  };

  return {
    wake,
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
