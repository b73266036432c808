import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { judgeKnative } from '../../doctor/checks/knative.ts';
import type { Seen } from '../../doctor/seen.ts';
import { deployments, empty, judged, type Row, thing, wanting } from './scene.ts';

const [eventing, serving, ingress] = ['eventingDeployments', 'servingDeployments', 'ingressDeployments'] as const;
const inMemory = thing('v1', 'ConfigMap', {
  metadata: { name: 'config-br-default-channel', namespace: 'knative-eventing' },
  data: { channelTemplateSpec: 'kind: InMemoryChannel' },
});
const broker = (kind: string) =>
  thing('eventing.knative.dev/v1', 'Broker', {
    metadata: { name: 'x', annotations: { 'eventing.knative.dev/broker.class': kind } },
  });
const memory: Partial<Seen> = {
  brokers: { value: [broker('MTChannelBasedBroker')] },
  brokerConfigs: { value: [inMemory] },
};
const core = ['eventing-controller', 'eventing-webhook'];
const mt = ['mt-broker-controller', 'mt-broker-ingress', 'mt-broker-filter'];
const imc = ['imc-controller', 'imc-dispatcher'];
const all = deployments('knative-eventing', ...core, ...mt, ...imc);
const run = deployments('knative-serving', 'activator', 'autoscaler', 'controller', 'webhook');
const kourier = deployments('kourier-system', '3scale-kourier-gateway');

/** Of a cluster where all runs, but for what is said. */
const of = (more: Partial<Seen>, wanted = wanting(broker('MTChannelBasedBroker'))) =>
  judgeKnative(
    {
      ...empty,
      [eventing]: { value: all },
      [serving]: { value: run },
      [ingress]: { value: kourier },
      ...memory,
      ...more,
    },
    wanted,
  );
const oks = [
  'ok the Deployments of Knative Eventing',
  'ok the Deployments of Knative Serving',
  'ok the Deployments of the',
];
const without = (list: readonly Thing[], name: string) => list.filter(({ metadata }) => metadata.name !== name);
const but = (list: readonly Thing[], name: string, [replicas, available]: readonly [number, number?]) => [
  ...without(list, name),
  ...deployments(list[0]?.metadata.namespace ?? '', name).map((one) => ({
    ...one,
    spec: { replicas },
    status: available === undefined ? {} : { availableReplicas: available },
  })),
];
const kafka = deployments('knative-eventing', ...core, 'kafka-controller', 'kafka-broker-receiver');
const kafkaOnly = { brokers: { value: [broker('Kafka')] }, brokerConfigs: { value: [] } };

const rows: readonly Row[] = [
  { name: 'all of Knative runs', found: of({}), wanted: oks },
  ...[...core, ...mt, ...imc].map((name) => ({
    name: `${name} at 0 replicas`,
    found: of({ [eventing]: { value: but(all, name, [0]) } }),
    wanted: [`problem Deployment knative-eventing/${name} has 0 replicas`, ...oks.slice(1)],
  })),
  ...['activator', 'autoscaler', 'controller', 'webhook'].map((name) => ({
    name: `${name} without a Pod`,
    found: of({ [serving]: { value: but(run, name, [1]) } }),
    wanted: [`ok `, `problem Deployment knative-serving/${name} has 0 of 1 replicas available`, `ok `],
  })),
  {
    name: 'one of two',
    found: of({ [eventing]: { value: but(all, 'mt-broker-ingress', [2, 1]) } }),
    wanted: ['problem Deployment knative-eventing/mt-broker-ingress has 1 of 2 replicas available', ...oks.slice(1)],
  },
  {
    name: 'a Deployment that nobody named its replicas for wants one',
    found: of({ [serving]: { value: run.map((one) => ({ ...one, spec: {} })) } }),
    wanted: oks,
  },
  {
    name: 'the eventing-controller is not there',
    found: of({ [eventing]: { value: without(all, 'eventing-controller') } }),
    wanted: ['problem Deployment knative-eventing/eventing-controller is not there', ...oks.slice(1)],
  },
  {
    name: 'the gateway is away',
    found: of({ [ingress]: { value: but(kourier, '3scale-kourier-gateway', [1]) } }),
    wanted: [...oks.slice(0, 2), 'problem Deployment kourier-system/3scale-kourier-gateway has 0 of 1'],
  },
  { name: 'the Broker for Kafka alone', found: of({ [eventing]: { value: kafka }, ...kafkaOnly }), wanted: oks },
  {
    name: 'what the Broker for Kafka has no need of',
    found: of({
      [eventing]: { value: [...kafka, ...deployments('knative-eventing', ...mt, ...imc).map(asleep)] },
      ...kafkaOnly,
    }),
    wanted: oks,
  },
  {
    name: 'the receiver of the Broker for Kafka',
    found: of({ [eventing]: { value: but(kafka, 'kafka-broker-receiver', [1]) }, ...kafkaOnly }),
    wanted: ['problem Deployment knative-eventing/kafka-broker-receiver has 0 of 1', ...oks.slice(1)],
  },
  {
    name: 'another channel than that in memory',
    found: of({ [eventing]: { value: deployments('knative-eventing', ...core, ...mt) }, brokerConfigs: { value: [] } }),
    wanted: oks,
  },
  {
    name: 'Deployments of others in the namespace',
    found: of({ [eventing]: { value: [...all, ...deployments('knative-eventing', 'job-sink').map(asleep)] } }),
    wanted: oks,
  },
  {
    name: 'Deployments that may not be read',
    found: of({ [eventing]: { why: 'forbidden' }, [serving]: { why: 'forbidden' }, [ingress]: { why: 'forbidden' } }),
    wanted: [
      'unchecked not checked: the Deployments of Knative Eventing (forbidden)',
      'unchecked not checked: the Deployments of Knative Serving (forbidden)',
      'unchecked not checked: the Deployments of the networking layer (forbidden)',
    ],
  },
  {
    name: 'Knative in another namespace',
    found: of({ [eventing]: { value: [] }, [serving]: { value: [] }, [ingress]: { value: [] } }),
    wanted: [
      'unchecked not checked: whether Knative Eventing runs: there is no Deployment in knative-eventing',
      'unchecked not checked: whether Knative Serving runs: there is no Deployment in knative-serving',
      'unchecked not checked: whether the networking layer runs',
    ],
  },
  {
    name: 'no Knative at all',
    found: of({ unserved: { value: ['eventing.knative.dev/v1', 'sources.knative.dev/v1', 'serving.knative.dev/v1'] } }),
    wanted: [
      'problem Knative Eventing is not installed: the cluster has no API eventing.knative.dev/v1, sources.knative.dev/v1',
      'problem Knative Serving is not installed: the cluster has no API serving.knative.dev/v1',
    ],
  },
  {
    name: 'no Knative Serving',
    found: of({ unserved: { value: ['serving.knative.dev/v1'] } }),
    wanted: ['problem Knative Serving is not installed', 'ok the Deployments of Knative Eventing'],
  },
  {
    name: 'APIs that may not be asked for',
    found: of({ unserved: { why: 'forbidden' } }),
    wanted: ['unchecked not checked: which APIs of Knative there are (forbidden)', ...oks],
  },
  {
    name: 'a mesh, which runs no Deployment',
    found: of({
      [eventing]: { value: [] },
      brokers: { value: [{ ...broker('x'), status: { address: { url: 'http://127.0.0.1:8080/knudge/x' } } }] },
    }),
    wanted: [],
  },
];
for (const row of rows) judged(row);

function asleep(one: Thing): Thing {
  return { ...one, spec: { replicas: 0 }, status: {} };
}
