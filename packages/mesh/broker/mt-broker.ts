import type { CloudEvent } from '../cloud-event.ts';
import type { TriggerSpec } from '../mesh-spec.ts';
import type { Accepting, IngressAnswer } from './accepting.ts';
import { type DeliveryParts, type DeliveryResult, deliverEvent } from './delivery.ts';
import { wants } from './trigger-filter.ts';
import { within } from './within.ts';

/** The in-memory channel gives up a fan-out after 15 minutes. */
const longestFanOutMs = 15 * 60_000;

/** What an `MTChannelBasedBroker` needs besides the delivery. */
export interface FanningOut {
  /** Milliseconds that its Triggers may take together. */
  readonly fanOutMs?: number;
  /** Whether it has the subscription of a Trigger yet; if absent, it has all. A real one takes events before it has any. */
  readonly isSubscribed?: (trigger: TriggerSpec) => boolean;
}

/**
 * Knative's `MTChannelBasedBroker` on the in-memory channel: `accept` resolves only when every Trigger that wants the
 * event is done with it, retries included: 202, or 500 if one of them found no subscriber to take it. A Trigger that is not
 * subscribed yet wants nothing, and an event that no Trigger wants is accepted and gone. Nothing is on disk: what is in flight
 * when the process ends is lost.
 */
export function startMtBroker(triggers: readonly TriggerSpec[], parts: DeliveryParts & FanningOut): Accepting {
  const { fanOutMs = longestFanOutMs, isSubscribed = () => true } = parts;
  let followed = triggers;
  return {
    accept: async (event) => {
      const seen = asFiltered(event);
      const wanting = followed.filter((trigger) => isSubscribed(trigger) && wants(trigger.filters, seen));
      if (wanting.length === 0) return accepted;
      const results = await within(fanOutMs, fanOut(wanting, event, parts));
      if (results === undefined) return { status: 500, message: 'the Triggers took too long' };
      if (results.every((result) => result === 'finished')) return accepted;
      return results.includes('finished') ? { ...failed, isTakenBySome: true } : failed;
    },
    follow: (now) => {
      followed = now;
      return true;
    },
    drain: () => Promise.resolve(),
    close: () => {},
  };
}

/** The event without its passes, which the real filter removes before it filters. */
function asFiltered({ attributes: { knativebrokerttl: _, ...attributes }, ...event }: CloudEvent): CloudEvent {
  return { ...event, attributes };
}

const accepted: IngressAnswer = { status: 202 };
const failed: IngressAnswer = { status: 500, message: 'a Trigger could not deliver the event' };

function fanOut(
  wanting: readonly TriggerSpec[],
  event: CloudEvent,
  parts: DeliveryParts,
): Promise<readonly DeliveryResult[]> {
  return Promise.all(wanting.map((trigger) => deliverEvent(trigger, event, parts)));
}
