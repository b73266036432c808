import type { CloudEvent } from '../cloud-event.ts';
import type { TriggerSpec } from '../mesh-spec.ts';
import type { Accepting, IngressAnswer } from './accepting.ts';
import { type DeliveryParts, type DeliveryResult, deliverEvent } from './delivery.ts';
import type { BrokerParts } from './ingress.ts';
import { wants } from './trigger-filter.ts';
import { within } from './within.ts';

/** The in-memory channel gives a fan-out up after 15 minutes. */
const longestFanOutMs = 15 * 60_000;

/**
 * Knative's `MTChannelBasedBroker` on the in-memory channel: `accept` resolves only when every Trigger that wants the
 * event is done with it, retries included: 202, or 500 where one of them found nobody to take it. A Trigger that is not
 * subscribed yet wants nothing, and what no other wants is accepted and gone. Nothing is on disk: what is in flight when the
 * process ends is lost.
 */
export function startMtBroker(
  triggers: readonly TriggerSpec[],
  parts: DeliveryParts & Pick<BrokerParts, 'fanOutMs' | 'isSubscribed'>,
): Accepting {
  const { fanOutMs = longestFanOutMs, isSubscribed = () => true } = parts;
  return {
    accept: async (event) => {
      const seen = asFiltered(event);
      const wanting = triggers.filter((trigger) => isSubscribed(trigger) && wants(trigger.filters, seen));
      if (wanting.length === 0) return accepted;
      const results = await within(fanOutMs, fanOut(wanting, event, parts));
      if (results === undefined) return { status: 500, message: 'the Triggers took too long' };
      return results.every((result) => result === 'finished') ? accepted : failed;
    },
    drain: () => Promise.resolve(),
    close: () => {},
  };
}

/** The real filter takes the passes off before it looks. */
function asFiltered({ attributes: { knativebrokerttl: _, ...attributes }, ...event }: CloudEvent): CloudEvent {
  return { ...event, attributes };
}

const accepted: IngressAnswer = { status: 202 };
const failed: IngressAnswer = { status: 500, message: 'a Trigger could deliver the event to nobody' };

function fanOut(
  wanting: readonly TriggerSpec[],
  event: CloudEvent,
  parts: DeliveryParts,
): Promise<readonly DeliveryResult[]> {
  return Promise.all(wanting.map((trigger) => deliverEvent(trigger, event, parts)));
}
