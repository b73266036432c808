import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ping, readWith, sound, source, trigger } from './folder.ts';

const own = { namespace: 'home', name: 'f' };

describe('the manifests as the mesh runs them', () => {
  it('what says nothing has the defaults of Knative', (t) => {
    const spec = readWith(t, {});
    assert.deepEqual(spec.functions, [
      {
        ...own,
        env: {},
        envOfCluster: [],
        containerConcurrency: 0,
        timeoutSeconds: 300,
        minScale: 0,
        maxScale: 0,
        target: 100,
        idleSeconds: 60,
      },
    ]);
    assert.deepEqual(spec.triggers[0]?.filters, []);
    assert.deepEqual(spec.triggers[0]?.subscriber, { kind: 'function', ...own });
    assert.deepEqual(spec.sources[0]?.mode, 'Reference');
    assert.deepEqual(spec.sources[0]?.namespaces, { kind: 'own' });
    assert.deepEqual(spec.pings[0]?.schedule, '* * * * *');
    assert.deepEqual(spec.pings[0]?.sink, { kind: 'uri', uri: 'http://127.0.0.1:8080/here' });
  });

  it('a Broker without a delivery has that of the installation: ten retries', (t) => {
    const broker = (sound['eventing/broker.yaml'] ?? '').replace(/ {2}delivery.*/, '  config: {}');
    const { brokers, triggers } = readWith(t, { 'eventing/broker.yaml': broker });
    assert.deepEqual(brokers[0]?.delivery, { retry: 10, backoff: 'exponential', backoffDelayMs: 200 });
    assert.deepEqual(triggers[0]?.delivery, brokers[0]?.delivery);
  });

  const delivery = '  delivery: { retry: 1, deadLetterSink: { uri: "http://dead/" } }';

  it("a Trigger's delivery stands alone with the channel-based Broker", (t) => {
    const { brokers, triggers } = readWith(t, trigger(delivery));
    assert.deepEqual(brokers[0]?.delivery, { retry: 3, backoff: 'linear', backoffDelayMs: 1000, timeoutMs: 120_000 });
    const deadLetterSink = { kind: 'uri', uri: 'http://dead/' };
    assert.deepEqual(triggers[0]?.delivery, { retry: 1, backoff: 'exponential', backoffDelayMs: 0, deadLetterSink });
  });

  it("and is completed by the Broker's with Kafka, where it may be ordered", (t) => {
    const kafka = (sound['eventing/broker.yaml'] ?? '').replace(
      'namespace: home',
      'namespace: home, annotations: { eventing.knative.dev/broker.class: Kafka }',
    );
    const ordered = (trigger(delivery)['eventing/trigger.yaml'] ?? '').replace(
      'namespace: home',
      'namespace: home, annotations: { kafka.eventing.knative.dev/delivery.order: ordered }',
    );
    const { triggers } = readWith(t, { 'eventing/broker.yaml': kafka, 'eventing/trigger.yaml': ordered });
    const deadLetterSink = { kind: 'uri', uri: 'http://dead/' };
    const expected = { retry: 1, backoff: 'linear', backoffDelayMs: 1000, timeoutMs: 120_000, deadLetterSink };
    assert.deepEqual(triggers[0]?.delivery, expected);
    assert.equal(triggers[0]?.ordered, true);
  });

  it("a Trigger without a dead-letter sink of its own has the Broker's", (t) => {
    const broker = (sound['eventing/broker.yaml'] ?? '').replace(
      'retry: 3',
      'retry: 3, deadLetterSink: { uri: "http://dead/" }',
    );
    const { triggers } = readWith(t, { 'eventing/broker.yaml': broker, ...trigger('  delivery: { retry: 1 }') });
    assert.deepEqual(triggers[0]?.delivery.deadLetterSink, { kind: 'uri', uri: 'http://dead/' });
  });

  it('each dialect of filters is read, and an item without any wants everything', (t) => {
    const { triggers } = readWith(
      t,
      trigger(`  filters:
    - exact: { type: a, kind: b }
    - all: [{ prefix: { type: a } }, { not: { suffix: { type: z } } }]
    - any: [{ exact: { type: a } }]
    - {}
    - any: []`),
    );
    assert.deepEqual(triggers[0]?.filters, [
      { dialect: 'exact', attributes: { type: 'a', kind: 'b' } },
      {
        dialect: 'all',
        filters: [
          { dialect: 'prefix', attributes: { type: 'a' } },
          { dialect: 'not', filter: { dialect: 'suffix', attributes: { type: 'z' } } },
        ],
      },
      { dialect: 'any', filters: [{ dialect: 'exact', attributes: { type: 'a' } }] },
    ]);
  });

  it('the old filter counts only where there are no filters', (t) => {
    const old = '  filter: { attributes: { type: a, kind: "" } }';
    const { triggers } = readWith(t, trigger(old));
    assert.deepEqual(triggers[0]?.filters, [{ dialect: 'attributes', attributes: { type: 'a', kind: '' } }]);
    const both = readWith(t, trigger(`${old}\n  filters: [{ exact: { type: b } }]`));
    assert.deepEqual(both.triggers[0]?.filters, [{ dialect: 'exact', attributes: { type: 'b' } }]);
  });

  it('a source is read whole, with selectors as the query parameter takes them', (t) => {
    const { sources } = readWith(
      t,
      source(`  mode: Resource
  owner: { apiVersion: apps/v1, kind: ReplicaSet }
  ceOverrides: { extensions: { site: a } }
  namespaceSelector:
    matchLabels: { team: x, env: '' }
    matchExpressions:
      - { key: a, operator: In, values: [b, c] }
      - { key: d, operator: NotIn, values: [e] }
      - { key: f.io/g, operator: Exists }
      - { key: h, operator: DoesNotExist }`),
    );
    const selector = 'team=x,env=,a in (b,c),d notin (e),f.io/g,!h';
    assert.deepEqual(sources, [
      {
        namespace: 'home',
        name: 's',
        mode: 'Resource',
        resources: [{ apiVersion: 'v1', kind: 'Pod', selector: '' }],
        owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
        namespaces: { kind: 'labelled', selector },
        sink: { kind: 'broker', namespace: 'home', name: 'bus' },
        overrides: { site: 'a' },
      },
    ]);
    assert.deepEqual(readWith(t, source('  namespaceSelector: {}')).sources[0]?.namespaces, { kind: 'all' });
  });

  it('a PingSource is read whole, its data as text or as base64', (t) => {
    const lines = `  schedule: '@hourly'\n  timezone: Europe/Berlin\n  contentType: application/json\n  data: '{"a":1}'`;
    const { pings } = readWith(t, ping(`${lines}\n  ceOverrides: { extensions: { site: a } }`));
    const { data, sink, ...rest } = pings[0] ?? assert.fail('no PingSource');
    assert.deepEqual(rest, {
      namespace: 'home',
      name: 'p',
      schedule: '@hourly',
      timezone: 'Europe/Berlin',
      contentType: 'application/json',
      overrides: { site: 'a' },
    });
    assert.equal(data.toString(), '{"a":1}');
    assert.equal(sink.kind, 'uri');
    assert.equal(readWith(t, ping('  dataBase64: aGk=')).pings[0]?.data.toString(), 'hi');
  });

  it('a function is read whole', (t) => {
    const { functions } = readWith(t, {
      'deploy/functions/f.yaml': `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: f, namespace: home }
spec:
  template:
    metadata:
      annotations:
        autoscaling.knative.dev/min-scale: '1'
        autoscaling.knative.dev/max-scale: '5'
        autoscaling.knative.dev/target: '0.5'
        autoscaling.knative.dev/window: 1m30s
    spec:
      containerConcurrency: 50
      timeoutSeconds: 40
      containers:
        - env: [{ name: A, value: '1' }, { name: B }, { name: C, valueFrom: { fieldRef: {} } }]
`,
    });
    const env = { A: '1', B: '' };
    const scaling = { minScale: 1, maxScale: 5, target: 0.5, idleSeconds: 90 };
    assert.deepEqual(functions, [
      { ...own, env, envOfCluster: ['C'], containerConcurrency: 50, timeoutSeconds: 40, ...scaling },
    ]);
  });
});
