import type { ChannelSpec, SubscriptionSpec } from '../mesh-spec.ts';
import { readBrokerDelivery } from './delivery.ts';
import { type Known, readDestination } from './destination.ts';
import type { Field } from './field.ts';

const asyncAnnotation = 'messaging.knative.dev/async-handler';

/** Reads an InMemoryChannel, with all Subscriptions that name it. A channel that makes its sender wait is refused. */
export function readChannel(
  field: Field,
  { known, subscriptions }: { readonly known: Known; readonly subscriptions: readonly Field[] },
): ChannelSpec {
  const metadata = field.at('metadata');
  const [namespace, name] = [metadata.at('namespace').text('default'), metadata.at('name').text()];
  const handler = metadata.at('annotations').at(asyncAnnotation);
  if (handler.text('false') !== 'true') {
    (handler.isSet ? handler : metadata.at('name')).refuse(
      `a channel that makes its sender wait is not run locally: annotate it with ${asyncAnnotation}: 'true'`,
    );
  }
  const own = subscriptions.filter((one) => {
    const home = one.at('metadata').at('namespace').text('default');
    return home === namespace && one.at('spec').at('channel').at('name').text() === name;
  });
  return { namespace, name, subscriptions: own.map((one) => readSubscription(one, known)) };
}

function readSubscription(field: Field, known: Known): SubscriptionSpec {
  const [metadata, spec] = [field.at('metadata'), field.at('spec')];
  const namespace = metadata.at('namespace').text('default');
  spec.allow(['channel', 'subscriber', 'delivery'], { reply: 'is not run locally: leave it out' });
  return {
    namespace,
    name: metadata.at('name').text(),
    broker: '',
    filters: [],
    ordered: false,
    subscriber: readDestination(spec.at('subscriber'), { namespace, known }),
    delivery: spec.at('delivery').isSet
      ? readBrokerDelivery(spec.at('delivery'), { namespace, known })
      : { retry: 0, backoff: 'exponential', backoffDelayMs: 0 },
  };
}

/** Each Subscription must name a channel that exists. */
export function checkSubscription(field: Field, known: Known): void {
  const [channel, namespace] = [field.at('spec').at('channel'), field.at('metadata').at('namespace').text('default')];
  channel.allow(['apiVersion', 'kind', 'name']);
  if (channel.at('kind').text() !== 'InMemoryChannel') {
    channel.at('kind').refuse('only an InMemoryChannel is run locally');
  } else if (!known.channels.has(`${namespace}/${channel.at('name').text()}`)) {
    channel.at('name').refuse(`there is no InMemoryChannel ${namespace}/${channel.at('name').text()}`);
  }
}
