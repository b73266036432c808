import { type Found, ok, problem, unchecked } from '../../../packages/controller/doctor/finding.ts';
import type { Read, Thing } from '../../../packages/controller/doctor/own-checks.ts';
import {
  apis,
  eventingParts,
  type Needed,
  namespaces,
  type Part,
  type Product,
  servingParts,
} from '../knative-parts.ts';
import { again } from '../mend.ts';
import { isMesh, nameOf, type Seen, type Wanted, wantedOf } from '../seen.ts';
import { channelOf, classOf } from './brokers.ts';
import { reviving, shortOf } from './deployments.ts';

/** Checks that Knative is there and runs. The conditions of its objects are of the time when it last ran. */
export function judgeKnative(seen: Seen, wanted: Wanted): readonly Found[] {
  if (isMesh(seen)) return [];
  const { unserved, eventingDeployments, servingDeployments, ingressDeployments } = seen;
  const missing = missingOf(seen);
  const needs = needsOf(seen, wanted);
  return [
    ...('why' in unserved ? [unchecked(`which APIs of Knative there are (${unserved.why})`)] : []),
    ...missing.map((product) => judgeMissing(product, 'why' in unserved ? [] : unserved.value)),
    ...(missing.includes('Knative Eventing')
      ? []
      : judgeParts('Knative Eventing', eventingDeployments, partsOf(eventingParts, needs))),
    ...(missing.includes('Knative Serving')
      ? []
      : [...judgeParts('Knative Serving', servingDeployments, servingParts), ...judgeIngress(ingressDeployments)]),
  ];
}

/** The products of Knative that the cluster lacks: what needs them is not checked. */
export function missingOf({ unserved }: Pick<Seen, 'unserved'>): readonly Product[] {
  return 'why' in unserved ? [] : [...new Set(unserved.value.flatMap((api) => apis[api] ?? []))];
}

function judgeMissing(product: Product, unserved: readonly string[]): Found {
  const absent = unserved.filter((api) => apis[api] === product).join(', ');
  return problem(
    `${product} is not installed: the cluster has no API ${absent}`,
    'nothing wakes a function without it; what needs it is not checked below',
    `install it (https://knative.dev/docs/install/), then ${again}`,
  );
}

/** The parts of Knative that this installation needs, by its Broker. */
function needsOf({ brokers, brokerConfigs }: Seen, wanted: Wanted): readonly Needed[] {
  const [expected] = wantedOf(wanted, 'eventing.knative.dev', 'Broker');
  const live = 'why' in brokers ? [] : brokers.value;
  const broker = live.find(({ metadata }) => metadata.name === expected?.metadata.name) ?? expected;
  if (broker === undefined) return ['always'];
  const kind = classOf(broker);
  if (kind === 'Kafka') return ['always', 'broker of kafka'];
  if (kind !== 'MTChannelBasedBroker') return ['always'];
  const channel = channelOf(broker, 'why' in brokerConfigs ? [] : brokerConfigs.value);
  return ['always', 'broker in memory', ...(channel === 'InMemoryChannel' ? (['channel in memory'] as const) : [])];
}

function partsOf(parts: readonly Part[], needs: readonly Needed[]): readonly Part[] {
  return parts.filter(({ needed }) => needs.includes(needed));
}

function judgeParts(product: Product, seen: Read<readonly Thing[]>, parts: readonly Part[]): readonly Found[] {
  if ('why' in seen) return [unchecked(`the Deployments of ${product} (${seen.why})`)];
  const namespace = namespaces[product];
  if (seen.value.length === 0) return [unchecked(`whether ${product} runs: there is no Deployment in ${namespace}`)];
  const found = parts.flatMap(({ name, needed, why }) => {
    const one = seen.value.find(({ metadata }) => metadata.name === name);
    if (one !== undefined) return judgeOne(one, why);
    // The names of Kafka's Deployments differ from version to version.
    if (needed === 'broker of kafka') return [];
    const todo = `install ${product} again, in the version that is there (https://knative.dev/docs/install/)`;
    return [problem(`Deployment ${namespace}/${name} is not there`, why, todo)];
  });
  return found.length > 0 ? found : [ok(`the Deployments of ${product} that Knudge needs are available`)];
}

function judgeIngress(seen: Read<readonly Thing[]>): readonly Found[] {
  if ('why' in seen) return [unchecked(`the Deployments of the networking layer (${seen.why})`)];
  if (seen.value.length === 0) return [unchecked('whether the networking layer runs: no Deployment has its label')];
  const found = seen.value.flatMap((one) => judgeOne(one, 'requests reach functions only through it'));
  return found.length > 0 ? found : [ok('the Deployments of the networking layer are available')];
}

function judgeOne(one: Thing, why: string): readonly Found[] {
  const short = shortOf(one);
  return short === undefined ? [] : [problem(`${nameOf(one)} ${short}`, why, reviving(one))];
}
