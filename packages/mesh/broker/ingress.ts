import { join } from 'node:path';
import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';
import type { Answer, CloudEvent, Deliver } from '../cloud-event.ts';
import type { Report } from '../hop.ts';
import type { BrokerSpec, TriggerSpec } from '../mesh-spec.ts';
import type { Accepting, IngressAnswer } from './accepting.ts';
import { arrive } from './arrival.ts';
import type { DeliveryParts } from './delivery.ts';
import { startKafkaBroker } from './kafka-broker.ts';
import { startMtBroker } from './mt-broker.ts';
import { type Sleep, waitFor } from './tries.ts';
import { within } from './within.ts';

export interface Broker {
  /** What the ingress says to an event; resolves when the class of the Broker says that it is accepted. Never rejects. */
  ingress(event: CloudEvent): Promise<IngressAnswer>;
  /** Takes no more, and lets what is in flight finish for a while. */
  close(): Promise<void>;
}

export interface BrokerParts {
  /** Those of other Brokers are left out. */
  readonly triggers: readonly TriggerSpec[];
  readonly deliver: Deliver;
  readonly report: Report;
  /** The folder for what the class `Kafka` keeps; it must be there. */
  readonly dir?: string;
  /** Milliseconds since 1970, with a fraction; never goes back. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  /** How long `close` lets events that are in flight finish, in milliseconds. */
  readonly graceMs?: number;
  /** How long the Triggers of an `MTChannelBasedBroker` may take together. */
  readonly fanOutMs?: number;
  /**
   * Whether an `MTChannelBasedBroker` has the subscription of a Trigger yet; absent: of each. A real one takes events before
   * it has any.
   */
  readonly isSubscribed?: (trigger: TriggerSpec) => boolean;
}

const usualGraceMs = 5_000;

/**
 * A Broker of its class with its Triggers. The ingress is the real one: 400 for what is no CloudEvent or has passed too
 * often, then `knativebrokerttl` and `knativearrivaltime` are set. Throws `internal` where the class needs `dir`.
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
    // The real ingress gives no reason, so that a dead letter of a reply has none.
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
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** What waits between two tries ends at once; what waits for an answer gets no more time than this. */
const afterStopMs = 50;

function startClass(
  spec: BrokerSpec,
  { triggers, dir, fanOutMs, isSubscribed }: BrokerParts,
  parts: DeliveryParts,
): Accepting {
  const own = triggers.filter(({ namespace, broker }) => namespace === spec.namespace && broker === spec.name);
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
