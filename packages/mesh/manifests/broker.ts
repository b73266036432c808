import type { BrokerSpec } from '../mesh-spec.ts';
import { readBrokerDelivery } from './delivery.ts';
import type { Known } from './destination.ts';
import type { Field } from './field.ts';

const classAnnotation = 'eventing.knative.dev/broker.class';

/** Reads a Broker, with the settings of its class for its Triggers. */
export function readBroker(field: Field, known: Known): BrokerSpec {
  const [metadata, spec] = [field.at('metadata'), field.at('spec')];
  const namespace = metadata.at('namespace').text('default');
  spec.allow(['config', 'delivery']);
  return {
    namespace,
    name: metadata.at('name').text(),
    class: readClass(metadata.at('annotations').at(classAnnotation)),
    delivery: readBrokerDelivery(spec.at('delivery'), { namespace, known }),
  };
}

function readClass(field: Field): BrokerSpec['class'] {
  const name = field.text('MTChannelBasedBroker');
  if (name === 'MTChannelBasedBroker' || name === 'Kafka') return name;
  field.refuse(`a Broker of class ${name} is not run locally: MTChannelBasedBroker or Kafka`);
  return 'MTChannelBasedBroker';
}
