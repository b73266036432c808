import { join } from 'node:path';
import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';
import type { Answer, CloudEvent, Deliver } from '../cloud-event.ts';
import type { Report } from '../hop.ts';
import type { BrokerSpec, TriggerSpec } from '../mesh-spec.ts';
import type { Accepting, IngressAnswer } from './accepting.ts';
import { arrive } from './arrival.ts';
import type { DeliveryParts } from './delivery.ts';
import { startKafkaBroker } from './kafka-broker.ts';
import { type FanningOut, startMtBroker } from './mt-broker.ts';
import { type Sleep, waitFor } from './tries.ts';
import { within } from './within.ts';

export interface Broker {
  /** The answer of the ingress to an event; resolves when the Broker's class counts it as accepted. Never rejects. */
  ingress(event: CloudEvent): Promise<IngressAnswer>;
  /** From the next event on it has these Triggers; those of other Brokers are left out. False if its class cannot do that. */
  follow(triggers: readonly TriggerSpec[]): boolean;
  /** Takes no more events, and lets those in flight finish for a while. */
  close(): Promise<void>;
}

export interface BrokerParts extends FanningOut {
  /** Triggers of other Brokers are left out. */
  readonly triggers: readonly TriggerSpec[];
  readonly deliver: Deliver;
  readonly report: Report;
  /** The folder for the events of class `Kafka`; it must exist. */
  readonly dir?: string;
  /** Milliseconds since 1970, with a fraction; never goes back. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  /** Milliseconds that `close` gives to events in flight. */
  readonly graceMs?: number;
}

const usualGraceMs = 5_000;

/**
 * A Broker of its class with its Triggers. The ingress acts as the real one: 400 for what is not a CloudEvent or has passed too
 * often, then it sets `knativebrokerttl` and `knativearrivaltime`. Throws `internal` if the class needs `dir`.
 */
export function createBroker(spec: BrokerSpec, parts: BrokerParts): Broker {
  const now = parts.now ?? (() => performance.timeOrigin + performance.now());
  const stop = new AbortController();
  const inFlight = new Set<Promise<IngressAnswer>>();
  let closed: Promise<void> | undefined;

  const take = async (event: CloudEvent): Promise<IngressAnswer> => {
    let arrived: CloudEvent;
    try {
      arrived = arrive(event, now());
    } catch (thrown) {
      return { status: 400, message: asKnudgeError(thrown).message };
    }
    return accepting.accept(arrived);
  };
  const takeReply = async (event: CloudEvent): Promise<Answer> => {
    const { status } = await take(event);
    // The real ingress gives no reason, so a dead letter of a reply has none.
    return { kind: 'answered', status, headers: {}, body: Buffer.alloc(0) };
  };
  const { deliver, report, sleep = waitFor } = parts;
  const accepting = startClass(spec, parts, { deliver, report, now, sleep, signal: stop.signal, takeReply });

  const close = async (): Promise<void> => {
    const graceMs = parts.graceMs ?? usualGraceMs;
    const timer = setTimeout(() => stop.abort(), graceMs);
    await within(graceMs + afterStopMs, Promise.all([...inFlight, accepting.drain()]));
    clearTimeout(timer);
    stop.abort();
    accepting.close();
  };

  return {
    ingress: (event) => {
      if (closed !== undefined) return Promise.resolve({ status: 503, message: 'the Broker is closing' });
      const answer = take(event);
      inFlight.add(answer);
      return answer.finally(() => inFlight.delete(answer));
    },
    follow: (triggers) => accepting.follow(ownOf(spec, triggers)),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** At the end, waits between tries end at once; a delivery that waits for an answer gets this many milliseconds more. */
const afterStopMs = 50;

function ownOf(spec: BrokerSpec, triggers: readonly TriggerSpec[]): readonly TriggerSpec[] {
  return triggers.filter(({ namespace, broker }) => namespace === spec.namespace && broker === spec.name);
}

function startClass(
  spec: BrokerSpec,
  { triggers, dir, fanOutMs, isSubscribed }: BrokerParts,
  parts: DeliveryParts,
): Accepting {
  const own = ownOf(spec, triggers);
  switch (spec.class) {
    case 'MTChannelBasedBroker':
      return startMtBroker(own, {
        ...parts,
        ...(fanOutMs !== undefined && { fanOutMs }),
        ...(isSubscribed && { isSubscribed }),
      });
    case 'Kafka': {
      if (dir === undefined) {
        throw new KnudgeError('internal', `Broker ${spec.namespace}/${spec.name} keeps its events: it needs a folder`);
      }
      return startKafkaBroker(own, { ...parts, file: join(dir, `${spec.namespace}.${spec.name}.sqlite`) });
    }
  }
}
