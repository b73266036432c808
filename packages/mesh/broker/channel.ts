import type { Answer, CloudEvent } from '../cloud-event.ts';
import type { ChannelSpec } from '../mesh-spec.ts';
import { type DeliveryParts, deliverEvent } from './delivery.ts';
import { waitFor } from './tries.ts';
import { within } from './within.ts';

export interface Channel {
  /** Answers at once; the event then goes to the Subscriptions. */
  take(event: CloudEvent): Answer;
  /** Takes no more events, and lets those under way finish for this many milliseconds. */
  close(graceMs: number): Promise<void>;
}

export type ChannelParts = Pick<DeliveryParts, 'deliver' | 'report'> & Partial<Pick<DeliveryParts, 'now' | 'sleep'>>;

/**
 * Knative's InMemoryChannel with the annotation async-handler: 202, and then each Subscription gets the event with its own
 * tries, side by side with earlier events. Nothing is on disk: what is under way when the process ends is lost.
 */
export function createChannel({ subscriptions }: ChannelSpec, parts: ChannelParts): Channel {
  const stop = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const delivery: DeliveryParts = {
    now: () => performance.timeOrigin + performance.now(),
    sleep: waitFor,
    ...parts,
    signal: stop.signal,
    // A Subscription has no reply.
    takeReply: async () => accepted,
  };
  let isClosed = false;
  return {
    take: (event) => {
      if (isClosed) return { ...accepted, status: 503 };
      for (const subscription of subscriptions) {
        const done = deliverEvent(subscription, event, delivery).finally(() => underWay.delete(done));
        underWay.add(done);
      }
      return accepted;
    },
    close: async (graceMs) => {
      isClosed = true;
      const timer = setTimeout(() => stop.abort(), graceMs);
      await within(graceMs, Promise.all(underWay));
      clearTimeout(timer);
      stop.abort();
    },
  };
}

const accepted = { kind: 'answered', status: 202, headers: {}, body: Buffer.alloc(0) } as const;
