import { at, type Refusal } from './refusal.ts';

const channel = (metadata: string): Record<string, string> => ({
  'eventing/channel.yaml': `apiVersion: messaging.knative.dev/v1
kind: InMemoryChannel
metadata: { name: log, namespace: home${metadata} }
`,
});
const handles = ", annotations: { messaging.knative.dev/async-handler: 'true' }";
const subscription = (spec: string): Record<string, string> => ({
  ...channel(handles),
  'eventing/subscription.yaml': `apiVersion: messaging.knative.dev/v1
kind: Subscription
metadata: { name: log, namespace: home }
spec:
${spec}
`,
});
const subscriber = '  subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: f } }';
const named = (name: string, kind = 'InMemoryChannel'): string =>
  `  channel: { apiVersion: messaging.knative.dev/v1, kind: ${kind}, name: ${name} }`;

export const channels: readonly Refusal[] = [
  [
    'a channel that makes its sender wait',
    channel(''),
    "eventing/channel.yaml:3: metadata.name: a channel that makes its sender wait is not run locally: annotate it with messaging.knative.dev/async-handler: 'true'",
  ],
  [
    'a Subscription to a channel that is not there',
    subscription(`${named('other')}\n${subscriber}`),
    at('subscription', 5, 'channel.name: there is no InMemoryChannel home/other'),
  ],
  [
    'a Subscription to another kind of channel',
    subscription(`${named('log', 'KafkaChannel')}\n${subscriber}`),
    at('subscription', 5, 'channel.kind: only an InMemoryChannel is run locally'),
  ],
  [
    'a Subscription with a reply',
    subscription(`${named('log')}\n${subscriber}\n  reply: { uri: "http://a/" }`),
    at('subscription', 7, 'reply: is not run locally: leave it out'),
  ],
  [
    'a Subscription whose subscriber is not there',
    subscription(`${named('log')}\n${subscriber.replace('name: f', 'name: g')}`),
    at('subscription', 6, 'subscriber.ref.name: there is no Knative Service home/g'),
  ],
];
