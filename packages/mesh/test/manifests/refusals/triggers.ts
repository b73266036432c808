import { trigger } from '../folder.ts';
import { at, type Refusal } from './refusal.ts';

const delivery = (field: string) => trigger(`  delivery:\n    ${field}`);
const named = 'invalid key name, attribute name must start with a letter and can only contain lowercase alphanumeric';

export const triggers: readonly Refusal[] = [
  [
    'two dialects in one filter',
    trigger('  filters:\n    - exact: { type: a }\n      prefix: { type: b }'),
    at('trigger', 8, 'filters[0]: multiple dialects found, filters can have only one dialect set'),
  ],
  [
    'two dialects inside of another',
    trigger('  filters:\n    - any:\n        - not:\n            exact: { type: a }\n            suffix: { type: b }'),
    at('trigger', 9, 'filters[0].any[0].not: multiple dialects found, filters can have only one dialect set'),
  ],
  [
    'an attribute that cannot be one',
    trigger('  filters: [{ exact: { my-type: a } }]'),
    at('trigger', 7, `filters[0].exact.my-type: ${named}`),
  ],
  [
    'the same in the old filter',
    trigger('  filter: { attributes: { 1type: a } }'),
    at('trigger', 7, `filter.attributes[1type]: ${named}`),
  ],
  [
    'cesql',
    trigger('  filters: [{ cesql: "type = \'a\'" }]'),
    at('trigger', 7, 'filters[0].cesql: is not run locally: say it with exact, prefix, suffix, all, any and not'),
  ],
  [
    'a dialect that there is not',
    trigger('  filters: [{ regex: { type: a } }]'),
    at('trigger', 7, 'filters[0].regex: unknown field'),
  ],
  [
    'a value that is no text',
    trigger('  filters: [{ exact: { type: 1 } }]'),
    at('trigger', 7, "filters[0].exact.type: must be a text: write '1'"),
  ],
  ['filters that are no list', trigger('  filters: { exact: {} }'), at('trigger', 7, 'filters: must be a list')],
  [
    'retries below 0',
    delivery('retry: -1'),
    at('trigger', 8, 'delivery.retry: invalid value: -1, must be a whole number from 0 to 2147483647'),
  ],
  [
    'a back-off that there is not',
    delivery('backoffPolicy: random'),
    at('trigger', 8, 'delivery.backoffPolicy: invalid value: "random", must be linear or exponential'),
  ],
  [
    'a delay that is no duration',
    delivery('backoffDelay: 200ms'),
    at('trigger', 8, 'delivery.backoffDelay: invalid value: "200ms", must be an ISO 8601 duration such as PT0.2S'),
  ],
  [
    'a time-out of nothing',
    delivery('timeout: PT0S'),
    at('trigger', 8, 'delivery.timeout: invalid value: must be greater than 0'),
  ],
  [
    'retryAfterMax',
    delivery('retryAfterMax: PT1M'),
    at(
      'trigger',
      8,
      'delivery.retryAfterMax: must not set the field: the flag delivery-retryafter is off, as Knative ships it',
    ),
  ],
  [
    'a format that there is not',
    delivery('format: xml'),
    at('trigger', 8, 'delivery.format: invalid value: "xml", must be json or binary'),
  ],
  [
    'a dead-letter sink that is not there',
    delivery('deadLetterSink: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: dead } }'),
    at('trigger', 8, 'delivery.deadLetterSink.ref.name: there is no Knative Service home/dead'),
  ],
  [
    'an address without a scheme',
    delivery('deadLetterSink: { uri: dead.example }'),
    at(
      'trigger',
      8,
      'delivery.deadLetterSink.uri: invalid value: "dead.example", must be an absolute address over http or https',
    ),
  ],
  [
    'a ref and an address',
    delivery(
      'deadLetterSink: { uri: "http://a/", ref: { apiVersion: eventing.knative.dev/v1, kind: Broker, name: bus } }',
    ),
    at('trigger', 8, 'delivery.deadLetterSink.uri: an address below a Broker is not run locally: leave it out'),
  ],
  [
    'a ref and an address that is no path',
    delivery(
      'deadLetterSink: { uri: "http://a/", ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: f } }',
    ),
    at(
      'trigger',
      8,
      'delivery.deadLetterSink.uri: invalid value: "http://a/", must be a path such as /events below a ref',
    ),
  ],
  [
    'neither of them',
    delivery('deadLetterSink: {}'),
    at('trigger', 8, 'delivery.deadLetterSink: expected at least one, got none: ref, uri'),
  ],
  [
    'a plain Service of Kubernetes',
    delivery('deadLetterSink: { ref: { apiVersion: v1, kind: Service, name: f } }'),
    at(
      'trigger',
      8,
      'delivery.deadLetterSink.ref: v1 Service is not run locally: name a Service of serving.knative.dev/v1, a Broker of eventing.knative.dev/v1 or an InMemoryChannel of messaging.knative.dev/v1',
    ),
  ],
  [
    'an order, where the Broker knows none',
    {
      'eventing/trigger.yaml': (trigger('')['eventing/trigger.yaml'] ?? '').replace(
        'namespace: home',
        'namespace: home, annotations: { kafka.eventing.knative.dev/delivery.order: ordered }',
      ),
    },
    'eventing/trigger.yaml:3: metadata.annotations[kafka.eventing.knative.dev/delivery.order]: only a Broker of class Kafka knows an order: leave it out',
  ],
  [
    'an order that there is not',
    {
      'eventing/broker.yaml':
        'apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata: { name: bus, namespace: home, annotations: { eventing.knative.dev/broker.class: Kafka } }\n',
      'eventing/trigger.yaml': (trigger('')['eventing/trigger.yaml'] ?? '').replace(
        'namespace: home',
        'namespace: home, annotations: { kafka.eventing.knative.dev/delivery.order: any }',
      ),
    },
    'eventing/trigger.yaml:3: metadata.annotations[kafka.eventing.knative.dev/delivery.order]: invalid value: "any", must be ordered or unordered',
  ],
];
