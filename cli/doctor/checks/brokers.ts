import { type Found, ok, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { again } from '../mend.ts';
import { at, nameOf, type Seen, sameAs, type Wanted, wantedOf } from '../seen.ts';
import { judgeReadiness } from './readiness.ts';

/** Checks that the Broker is ready and keeps the events that it took over a restart. */
export function judgeBrokers({ brokers, brokerConfigs }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in brokers) return [unchecked(`the Broker (${brokers.why})`)];
  const expected = wantedOf(wanted, 'eventing.knative.dev', 'Broker');
  const why = 'no event reaches a function without it';
  const live = brokers.value.filter((broker) => expected.some((one) => sameAs(one)(broker)));
  return [
    ...judgeReadiness(expected, brokers.value, { why, make: () => again }),
    ...live.map((broker) => judgeDurability(broker, 'why' in brokerConfigs ? [] : brokerConfigs.value)),
  ];
}

function judgeDurability(broker: Thing, configs: readonly Thing[]): Found {
  const name = nameOf(broker);
  const kind = classOf(broker);
  if (kind !== 'MTChannelBasedBroker') {
    return kind === 'Kafka'
      ? ok(`${name} is durable: its class is Kafka`)
      : unchecked(`whether ${name} is durable: Knudge does not know the class ${kind}`);
  }
  const channel = channelOf(broker, configs);
  if (channel === undefined)
    return unchecked(`whether ${name} is durable: the ConfigMap that says its channel cannot be read`);
  if (channel !== 'InMemoryChannel') return ok(`${name} is as durable as its channel, ${channel}`);
  return warning(
    `${name} is not durable: its channel is InMemoryChannel`,
    'what is under way is lost when it is restarted, and only the resync finds it',
    'if that is too little: docs/install.md, "Another class of Broker". A Broker cannot change its class',
  );
}

/** The class that the Broker's annotation names; without one it is the class of Knative itself. */
export function classOf({ metadata }: Thing): string {
  return metadata.annotations?.['eventing.knative.dev/broker.class'] ?? 'MTChannelBasedBroker';
}

/** The kind of channel in the template of the ConfigMap that `spec.config` names, or else of the installation's ConfigMap. */
export function channelOf(broker: Thing, configs: readonly Thing[]): string | undefined {
  const name = at(broker.spec, 'config', 'name') ?? 'config-br-default-channel';
  const namespace =
    at(broker.spec, 'config', 'namespace') ??
    (at(broker.spec, 'config') === undefined ? 'knative-eventing' : broker.metadata.namespace);
  const found = configs.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  const template = found?.data?.['channel-template-spec'] ?? found?.data?.['channelTemplateSpec'];
  return template === undefined ? undefined : /^\s*kind:\s*"?(\w+)"?\s*$/m.exec(template)?.[1];
}
