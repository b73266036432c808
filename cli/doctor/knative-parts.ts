/** What must be so for a Deployment of Knative to be missed. */
export type Needed = 'always' | 'broker in memory' | 'channel in memory' | 'broker of kafka';

/** A Deployment of Knative and what stands still without it. */
export interface Part {
  readonly name: string;
  readonly needed: Needed;
  readonly why: string;
}

/** Its two products, as people install them. */
export type Product = 'Knative Eventing' | 'Knative Serving';

/** What Knative Eventing runs in its namespace, with its Broker in memory and that for Kafka; pingsource-mt-adapter is told with the PingSource. */
export const eventingParts: readonly Part[] = [
  {
    name: 'eventing-controller',
    needed: 'always',
    why: 'nobody makes what sources and Triggers need, and what they say of themselves is old',
  },
  { name: 'eventing-webhook', needed: 'always', why: 'no source, Broker or Trigger can be made or changed' },
  {
    name: 'mt-broker-controller',
    needed: 'broker in memory',
    why: 'a Broker or Trigger that is made or changed does not come into force, and what they say of themselves is old',
  },
  { name: 'mt-broker-ingress', needed: 'broker in memory', why: 'the Broker takes no event' },
  { name: 'mt-broker-filter', needed: 'broker in memory', why: 'no Trigger delivers: no function is woken' },
  {
    name: 'imc-controller',
    needed: 'channel in memory',
    why: 'the channel of a Broker or Trigger that is made or changed does not come into force',
  },
  { name: 'imc-dispatcher', needed: 'channel in memory', why: 'the Broker can hand no event on: no function is woken' },
  {
    name: 'kafka-controller',
    needed: 'broker of kafka',
    why: 'a Broker or Trigger that is made or changed does not come into force, and what they say of themselves is old',
  },
  { name: 'kafka-broker-receiver', needed: 'broker of kafka', why: 'the Broker takes no event' },
  { name: 'kafka-webhook-eventing', needed: 'broker of kafka', why: 'no Broker for Kafka can be made or changed' },
];

/** What Knative Serving runs in its namespace. */
export const servingParts: readonly Part[] = [
  { name: 'activator', needed: 'always', why: 'a function that sleeps is not woken' },
  { name: 'autoscaler', needed: 'always', why: 'no function is woken or put to sleep' },
  { name: 'controller', needed: 'always', why: 'a function that is made or changed does not come into force' },
  { name: 'webhook', needed: 'always', why: 'no function can be made or changed' },
];

/** Where Knative is installed. */
export const namespaces: Readonly<Record<Product, string>> = {
  'Knative Eventing': 'knative-eventing',
  'Knative Serving': 'knative-serving',
};

/** The APIs of which Knudge has objects, and what brings them. */
export const apis: Readonly<Record<string, Product>> = {
  'eventing.knative.dev/v1': 'Knative Eventing',
  'sources.knative.dev/v1': 'Knative Eventing',
  'serving.knative.dev/v1': 'Knative Serving',
};
