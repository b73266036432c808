import type { BrokerSpec, Delivery } from '../mesh-spec.ts';
import { type Known, readDestination } from './destination.ts';
import { millisecondsOf } from './duration.ts';
import type { Field } from './field.ts';

interface Home {
  readonly namespace: string;
  readonly known: Known;
}

/** The delivery of a Broker without `spec.delivery`: from the shipped ConfigMap `config-br-defaults`. */
const ofTheInstallation: Delivery = { retry: 10, backoff: 'exponential', backoffDelayMs: 200 };

/** The `spec.delivery` of a Broker; without one that of Knative's installation. */
export function readBrokerDelivery(field: Field, home: Home): Delivery {
  return field.isSet ? { ...noRetries, ...withPolicy(readDelivery(field, home)) } : ofTheInstallation;
}

/**
 * The `spec.delivery` of a Trigger. If it has one, the channel-based Broker adds only the dead-letter sink from
 * its own, and Kafka's adds each field that is left out (source of both, June 2026).
 */
export function readTriggerDelivery(
  field: Field,
  { broker, ...home }: Home & { readonly broker: BrokerSpec },
): Delivery {
  if (!field.isSet) return broker.delivery;
  const { deadLetterSink } = broker.delivery;
  const own = readDelivery(field, home);
  if (broker.class === 'Kafka') return { ...broker.delivery, ...own };
  return { ...noRetries, ...(deadLetterSink && { deadLetterSink }), ...withPolicy(own) };
}

/** A delay without a policy has no effect (measured on the channel-based Broker). */
function withPolicy({ backoffDelayMs, ...delivery }: Partial<Delivery>): Partial<Delivery> {
  const counts = backoffDelayMs !== undefined && delivery.backoff !== undefined;
  return counts ? { ...delivery, backoffDelayMs } : delivery;
}

const noRetries: Delivery = { retry: 0, backoff: 'exponential', backoffDelayMs: 0 };

function readDelivery(field: Field, home: Home): Partial<Delivery> {
  field.allow(['retry', 'backoffPolicy', 'backoffDelay', 'timeout', 'deadLetterSink', 'format', 'retryAfterMax']);
  const [retry, policy, sink] = [field.at('retry'), field.at('backoffPolicy'), field.at('deadLetterSink')];
  const format = field.at('format');
  if (format.isSet) oneOf(format, ['json', 'binary']);
  const after = field.at('retryAfterMax');
  if (after.isSet) after.refuse('must not set the field: the flag delivery-retryafter is off, as Knative ships it');
  const delay = durationOf(field.at('backoffDelay'));
  const timeout = durationOf(field.at('timeout'));
  if (timeout === 0) field.at('timeout').refuse('invalid value: must be greater than 0');
  return {
    ...(retry.isSet && { retry: retry.integer({ least: 0, most: 2 ** 31 - 1, fallback: 0 }) }),
    ...(policy.isSet && { backoff: oneOf(policy, ['linear', 'exponential']) }),
    ...(delay !== undefined && { backoffDelayMs: delay }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(sink.isSet && { deadLetterSink: readDestination(sink, home) }),
  };
}

function durationOf(field: Field): number | undefined {
  if (!field.isSet) return undefined;
  const ms = millisecondsOf(field.text());
  if (ms === undefined) {
    field.refuse(`invalid value: ${JSON.stringify(field.value)}, must be an ISO 8601 duration such as PT0.2S`);
  }
  return ms;
}

function oneOf<const Choice extends string>(field: Field, choices: readonly [Choice, Choice]): Choice {
  const found = choices.find((choice) => choice === field.value);
  if (found === undefined) {
    field.refuse(`invalid value: ${JSON.stringify(field.value)}, must be ${choices.join(' or ')}`);
  }
  return found ?? choices[0];
}
