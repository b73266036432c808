import type { BrokerSpec, TriggerSpec } from '../mesh-spec.ts';
import { readTriggerDelivery } from './delivery.ts';
import { type Known, readDestination } from './destination.ts';
import type { Field } from './field.ts';
import { readFilters } from './filters.ts';

const orderAnnotation = 'kafka.eventing.knative.dev/delivery.order';

interface Surroundings {
  readonly known: Known;
  readonly brokers: readonly BrokerSpec[];
}

/** Reads a Trigger, with the delivery that it inherits from its Broker. */
export function readTrigger(field: Field, { known, brokers }: Surroundings): TriggerSpec {
  const [metadata, spec] = [field.at('metadata'), field.at('spec')];
  const namespace = metadata.at('namespace').text('default');
  spec.allow(['broker', 'brokerRef', 'filter', 'filters', 'subscriber', 'delivery']);
  const named = spec.at('broker');
  const broker = brokers.find((one) => one.namespace === namespace && one.name === named.text());
  if (named.text() === '') named.refuse('missing field');
  else if (broker === undefined) named.refuse(`there is no Broker ${namespace}/${named.text()}`);
  const home = { namespace, known, broker: broker ?? unknownBroker };
  return {
    namespace,
    name: metadata.at('name').text(),
    broker: named.text(),
    filters: readFilters(spec),
    subscriber: readDestination(spec.at('subscriber'), home),
    delivery: readTriggerDelivery(spec.at('delivery'), home),
    ordered: readOrdered(metadata.at('annotations').at(orderAnnotation), home.broker),
  };
}

const unknownBroker: BrokerSpec = {
  namespace: '',
  name: '',
  class: 'MTChannelBasedBroker',
  delivery: { retry: 0, backoff: 'exponential', backoffDelayMs: 0 },
};

function readOrdered(field: Field, broker: BrokerSpec): boolean {
  const order = field.text('unordered');
  if (order !== 'ordered' && order !== 'unordered') {
    field.refuse(`invalid value: ${JSON.stringify(order)}, must be ordered or unordered`);
  }
  if (field.isSet && broker.class !== 'Kafka')
    field.refuse('only a Broker of class Kafka knows an order: leave it out');
  return order === 'ordered';
}
