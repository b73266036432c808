import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { judgeBrokers } from '../../doctor/checks/brokers.ts';
import { judgeDefinitions } from '../../doctor/checks/definitions.ts';
import { judgeReadiness } from '../../doctor/checks/readiness.ts';
import { judgeTriggers } from '../../doctor/checks/triggers.ts';
import type { Seen } from '../../doctor/seen.ts';
import { empty, func, judged, type Row, ready, thing, wanting } from './scene.ts';

const definition = thing('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
  spec: { group: 'g', names: { kind: 'K' } },
});
const established = (status: string) => ({
  conditions: [{ type: 'Established', status, lastTransitionTime: '2026-11-21T11:00:00Z' }],
});
const source = (made: string, kind = 'K') =>
  thing('sources.knative.dev/v1', 'ApiServerSource', {
    spec: { resources: [{ apiVersion: 'g/v1', kind }] },
    metadata: { name: 'x', namespace: 'knudge', creationTimestamp: made },
  });
const broker = (more: { class?: string; spec?: Readonly<Record<string, unknown>> }) =>
  thing('eventing.knative.dev/v1', 'Broker', {
    metadata: {
      name: 'x',
      ...(more.class !== undefined && { annotations: { 'eventing.knative.dev/broker.class': more.class } }),
    },
    spec: more.spec ?? {},
    status: ready,
  });
const trigger = (delivery?: object) =>
  thing('eventing.knative.dev/v1', 'Trigger', { spec: { broker: 'x', ...(delivery && { delivery }) }, status: ready });
const full = { deadLetterSink: { uri: 'http://a' }, retry: 4, timeout: 'PT30S' };
const config = (data: Readonly<Record<string, string>>) => thing('v1', 'ConfigMap', { data });
const readyOf = (found: readonly Thing[]) =>
  judgeReadiness([func], found, { why: 'w', make: () => 'kubectl apply -k crds' });
const orderOf = (sources: readonly Thing[], adapters: Seen['adapters'] = { value: [] }) =>
  judgeDefinitions(
    {
      ...empty,
      definitions: { value: [{ ...definition, status: established('True') }] },
      sources: { value: sources },
      adapters,
    },
    wanting(definition),
  );
const brokersOf = (one: Thing, ...configs: readonly Thing[]) =>
  judgeBrokers({ ...empty, brokers: { value: [one] }, brokerConfigs: { value: configs } }, wanting(one)).slice(1);
const triggersOf = (one: Thing, lent?: object, manifest = trigger(full)) =>
  judgeTriggers(
    {
      ...empty,
      triggers: { value: [one] },
      brokers: { value: lent === undefined ? [] : [broker({ spec: { delivery: lent } })] },
    },
    wanting(manifest),
  ).slice(1);
const rows: readonly Row[] = [
  {
    name: 'a condition is told with its reason',
    found: readyOf([
      { ...func, status: { conditions: [{ type: 'Ready', status: 'False', reason: 'R', message: 'm' }] } },
    ]),
    wanted: ['problem Service knudge/x is not ready (R: m)'],
  },
  { name: 'no condition is not ready', found: readyOf([func]), wanted: ['problem Service knudge/x is not ready'] },
  {
    name: 'the one of another namespace is another',
    found: readyOf([{ ...func, metadata: { name: 'x', namespace: 'y' }, status: ready }]),
    wanted: ['problem Service knudge/x is not there'],
  },
  {
    name: 'a CRD that is refused',
    found: judgeDefinitions(
      { ...empty, definitions: { value: [{ ...definition, status: established('False') }] } },
      wanting(definition),
    ),
    wanted: ['problem CustomResourceDefinition x is not established'],
  },
  {
    name: 'a source that is younger',
    found: orderOf([source('2026-11-21T11:30:00Z')]),
    wanted: ['ok CustomResourceDefinition x'],
  },
  {
    name: 'a source that is older, and nobody knows when it began',
    found: orderOf([source('2026-11-21T10:00:00Z')], { why: 'forbidden' }),
    wanted: ['ok CustomResourceDefinition x', 'warning ApiServerSource knudge/x is older than'],
  },
  {
    name: 'a source that is older, and has no Pod, which is told of the source',
    found: orderOf([source('2026-11-21T10:00:00Z')]),
    wanted: ['ok CustomResourceDefinition x'],
  },
  {
    name: 'a source that is older, and watches something else',
    found: orderOf([source('2026-11-21T10:00:00Z', 'Other')]),
    wanted: ['ok CustomResourceDefinition x'],
  },
  {
    name: 'a source that is older, and began anew',
    found: orderOf([source('2026-11-21T10:00:00Z')], {
      value: [
        thing('v1', 'Pod', {
          metadata: { name: 'p', namespace: 'knudge', labels: { 'eventing.knative.dev/sourceName': 'x' } },
          status: { startTime: '2026-11-21T11:30:00Z' },
        }),
      ],
    }),
    wanted: ['ok CustomResourceDefinition x'],
  },
  {
    name: 'a Broker of Kafka',
    found: brokersOf(broker({ class: 'Kafka' })),
    wanted: ['ok Broker knudge/x is durable'],
  },
  {
    name: 'a Broker of a class that nobody knows',
    found: brokersOf(broker({ class: 'Rabbit' })),
    wanted: ['unchecked not checked: whether Broker knudge/x is durable'],
  },
  {
    name: 'a Broker whose channel is unknown',
    found: brokersOf(broker({})),
    wanted: ['unchecked not checked: whether Broker knudge/x is durable'],
  },
  {
    name: 'a Broker with a ConfigMap of its own',
    found: brokersOf(
      broker({ spec: { config: { name: 'x' } } }),
      config({ channelTemplateSpec: 'kind: KafkaChannel' }),
    ),
    wanted: ['ok Broker knudge/x is as durable as its channel, KafkaChannel'],
  },
  { name: 'a Trigger with all of it', found: triggersOf(trigger(full)), wanted: ['ok Trigger knudge/x'] },
  {
    name: 'a Trigger without delivery has that of its Broker',
    found: triggersOf(trigger(), full),
    wanted: ['ok Trigger knudge/x'],
  },
  {
    name: 'a Trigger with some of it has only the sink of its Broker',
    found: triggersOf(trigger({ timeout: 'PT1S' }), full),
    wanted: ['warning Trigger knudge/x tries nothing again'],
  },
  {
    name: 'a Trigger whose manifest wants no retries',
    found: triggersOf(trigger({ ...full, retry: 0 }), undefined, trigger({ ...full, retry: 0 })),
    wanted: ['ok Trigger knudge/x'],
  },
];
for (const row of rows) judged(row);
