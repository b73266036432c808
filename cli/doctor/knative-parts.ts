/** When a Deployment of Knative is needed. */
export type Needed = 'always' | 'broker in memory' | 'channel in memory' | 'broker of kafka';

/** A Deployment of Knative and what stops without it. */
export interface Part {
  readonly name: string;
  readonly needed: Needed;
  readonly why: string;
}

/** The two products of Knative, as people install them. */
export type Product = 'Knative Eventing' | 'Knative Serving';

/** The Deployments of Knative Eventing, with those of its Brokers in memory and for Kafka; judgeTicker reports pingsource-mt-adapter. */
export const eventingParts: readonly Part[] = [
  {
    name: 'eventing-controller',
    needed: 'always',
    why: 'nothing makes what sources and Triggers need, and their conditions are out of date',
  },
  { name: 'eventing-webhook', needed: 'always', why: 'no source, Broker or Trigger can be made or changed' },
  {
    name: 'mt-broker-controller',
    needed: 'broker in memory',
    why: 'a Broker or Trigger that is made or changed does not come into force, and their conditions are out of date',
  },
  { name: 'mt-broker-ingress', needed: 'broker in memory', why: 'the Broker takes no event' },
  { name: 'mt-broker-filter', needed: 'broker in memory', why: 'no Trigger delivers: no function is woken' },
  {
    name: 'imc-controller',
    needed: 'channel in memory',
    why: 'the channel of a Broker or Trigger that is made or changed does not come into force',
  },
  { name: 'imc-dispatcher', needed: 'channel in memory', why: 'the Broker can deliver no event: no function is woken' },
  {
    name: 'kafka-controller',
    needed: 'broker of kafka',
    why: 'a Broker or Trigger that is made or changed does not come into force, and their conditions are out of date',
  },
  { name: 'kafka-broker-receiver', needed: 'broker of kafka', why: 'the Broker takes no event' },
  { name: 'kafka-webhook-eventing', needed: 'broker of kafka', why: 'no Broker for Kafka can be made or changed' },
];

/** The Deployments of Knative Serving. */
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

/** The APIs that Knudge's objects need, and the product that brings each. */
export const apis: Readonly<Record<string, Product>> = {
  'eventing.knative.dev/v1': 'Knative Eventing',
  'sources.knative.dev/v1': 'Knative Eventing',
  'serving.knative.dev/v1': 'Knative Serving',
};
