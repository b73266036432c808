import assert from 'node:assert/strict';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

interface Container {
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly volumeMounts?: readonly { readonly name: string }[];
}

export interface Rendered extends KubeObject {
  readonly spec?: {
    /** Of an EventPolicy. */
    readonly from?: readonly {
      readonly ref?: { readonly kind: string; readonly name: string };
      readonly sub?: string;
    }[];
    /** Of a Trigger. */
    readonly subscriber?: { readonly ref?: { readonly name: string }; readonly audience?: string };
    readonly template?: {
      readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec?: {
        readonly containers?: readonly Container[];
        readonly volumes?: readonly { readonly name: string }[];
      };
    };
  };
}

/** What each promises of the whole; nothing of it may depend on what it is combined with. */
export const promises: Readonly<Record<string, (objects: readonly Rendered[]) => void>> = {
  secure: (objects) => {
    for (const { metadata, spec } of functions(objects)) {
      if (metadata.name === 'frp-gate') continue;
      assert.ok(envOf(spec).get('OIDC_ISSUER'), `${metadata.name} asks for tokens`);
    }
    const senders = objects.filter(({ spec }) => spec?.template !== undefined && envOf(spec).has('K_SINK'));
    assert.ok(senders.length >= 4);
    for (const { metadata, spec } of senders) {
      const { name } = metadata;
      assert.ok(envOf(spec).get('K_SINK_TOKEN_FILE'), `${name} shows a token`);
      assert.match(envOf(spec).get('K_SINK') ?? '', /^https:/, `${name} is heard by nobody else`);
      assert.ok(envOf(spec).get('NODE_EXTRA_CA_CERTS'), `${name} knows who signs for the Broker`);
      const [container] = spec?.template?.spec?.containers ?? [];
      assert.ok(
        container?.volumeMounts?.some((one) => one.name === 'broker-access'),
        name,
      );
      assert.ok(
        spec?.template?.spec?.volumes?.some((one) => one.name === 'broker-access'),
        name,
      );
    }
    assert.ok(objects.some(({ kind }) => kind === 'EventPolicy'));
  },
  kafka: (objects) => {
    const broker = objects.find(({ kind }) => kind === 'Broker');
    assert.equal(broker?.metadata.annotations?.['eventing.knative.dev/broker.class'], 'Kafka');
    const sinks = objects.flatMap(({ spec }) => envOf(spec).get('K_SINK') ?? []);
    // The resync, the log, the first resync, and what reconciles a DistributedService: one Service, or eight. A Message only reports.
    const apart = functions(objects).some(({ metadata }) => metadata.name === 'pod-changed') ? 7 : 0;
    assert.equal(sinks.length, 4 + apart + (reporting(objects).length > 0 ? 1 : 0));
    for (const sink of sinks)
      assert.match(sink, /^https?:\/\/kafka-broker-ingress\.knative-eventing\.svc\.cluster\.local\/knudge\/knudge$/);
    assert.equal(logOf(objects)?.template?.metadata?.annotations?.['autoscaling.knative.dev/min-scale'], '0');
  },
  deliveries: (objects) => {
    const isLogOrGate = ({ metadata }: Rendered) => /^(event-log|frp-gate)$/.test(metadata.name);
    assert.deepEqual(
      reporting(objects),
      functions(objects).filter((one) => !isLogOrGate(one)),
    );
    for (const { metadata, spec } of reporting(objects)) assert.ok(envOf(spec).has('K_SINK'), metadata.name);
    const policy = objects.find(({ kind, metadata }) => kind === 'EventPolicy' && metadata.name === 'knudge');
    const accounts = policy?.spec?.from?.flatMap(({ sub = '' }) => sub) ?? [];
    if (policy !== undefined) assert.ok(accounts.includes('system:serviceaccount:knudge:message'));
  },
  postgres: (objects) => {
    const log = logOf(objects);
    assert.match(envOf(log).get('DATABASE_URL') ?? '', /"secretKeyRef":.*"event-log-database"/);
    assert.ok(!log?.template?.spec?.volumes?.some(({ name }) => name === 'events'));
    assert.ok(!log?.template?.spec?.containers?.[0]?.volumeMounts?.some(({ name }) => name === 'events'));
    assert.ok(!objects.some(({ kind, metadata }) => kind === 'PersistentVolumeClaim' && metadata.name !== 'source'));
    assert.equal(log?.template?.metadata?.annotations?.['autoscaling.knative.dev/max-scale'], '4');
  },
  prometheus: (objects) => {
    for (const kind of ['PodMonitor', 'PrometheusRule'])
      assert.ok(
        objects.some((one) => one.kind === kind),
        kind,
      );
  },
  'single-namespace': (objects) => {
    const roles = objects.filter(({ kind }) => kind === 'ClusterRole').map(({ metadata }) => metadata.name);
    assert.deepEqual(roles.sort(), ['knudge-event-log-reader.knudge', 'knudge-event-log.knudge']);
    const changed = functions(objects).filter(({ metadata }) =>
      /^distributed-service$|changed$|^resync-due$/.test(metadata.name),
    );
    for (const { metadata, spec } of [...changed, ...ownSources(objects)])
      assert.equal(envOf(spec).get('WATCH_NAMESPACE'), 'knudge', metadata.name);
  },
  source: (objects) => {
    assert.ok(!objects.some(({ kind }) => kind === 'ApiServerSource'));
    assert.ok(!objects.some(({ kind, metadata }) => kind === 'Trigger' && metadata.name === 'source-restarted'));
    assert.equal(ownSources(objects)[0]?.metadata.name, 'source');
    const policy = objects.find(({ kind, metadata }) => kind === 'EventPolicy' && metadata.name === 'knudge');
    const named = policy?.spec?.from?.flatMap(({ ref }) => (ref?.kind.endsWith('rSource') ? [ref.name] : [])) ?? [];
    if (policy !== undefined)
      assert.deepEqual(
        named,
        ownSources(objects).map(({ metadata }) => metadata.name),
      );
  },
  'source-standby': (objects) => {
    const [first, second, ...more] = ownSources(objects);
    assert.deepEqual([first?.metadata.name, second?.metadata.name, more], ['source', 'source-standby', []]);
    assert.deepEqual(first?.spec, second?.spec);
    const lease = envOf(first?.spec).get('SOURCE_LEASE');
    const role = objects.find(({ metadata }) => metadata.name === 'knudge-source-standby') as
      | { rules?: object }
      | undefined;
    assert.ok(JSON.stringify(role?.rules).includes(`"resourceNames":["${String(lease)}"]`));
  },
  'per-function': (objects) => {
    assert.ok(!functions(objects).some(({ metadata }) => metadata.name === 'distributed-service'));
    for (const [trigger, service] of woken(objects)) assert.equal(service?.metadata.name, trigger.metadata.name);
  },
  'per-function-secure': (objects) => {
    for (const [{ metadata, spec }, service] of woken(objects)) {
      const env = envOf(service?.spec);
      assert.equal(spec?.subscriber?.audience, env.get('OIDC_AUDIENCE'), metadata.name);
      const sender = `system:serviceaccount:knudge:${metadata.name}-oidc-eventing.knative.dev-trigger`;
      assert.equal(env.get('OIDC_SUBJECTS'), sender);
    }
  },
};

/** Each Trigger of a function that reconciles, with the Knative Service that it wakes. */
function woken(objects: readonly Rendered[]): readonly (readonly [trigger: Rendered, service: Rendered | undefined])[] {
  return objects
    .filter(({ kind, metadata }) => kind === 'Trigger' && metadata.name.endsWith('-changed'))
    .map((trigger) => [
      trigger,
      functions(objects).find(({ metadata }) => metadata.name === trigger.spec?.subscriber?.ref?.name),
    ]);
}

function reporting(objects: readonly Rendered[]): readonly Rendered[] {
  return functions(objects).filter(({ spec }) => envOf(spec).get('REPORT_DELIVERIES') === 'event');
}

function functions(objects: readonly Rendered[]): readonly Rendered[] {
  return objects.filter(({ apiVersion }) => apiVersion.startsWith('serving.knative.dev/'));
}

function ownSources(objects: readonly Rendered[]): readonly Rendered[] {
  return objects.filter(({ kind }) => kind === 'ContainerSource');
}

function logOf(objects: readonly Rendered[]): Rendered['spec'] {
  return functions(objects).find(({ metadata }) => metadata.name === 'event-log')?.spec;
}

/** The variables of the one container; what is taken from elsewhere as JSON. */
function envOf(spec: Rendered['spec']): ReadonlyMap<string, string> {
  const [container] = spec?.template?.spec?.containers ?? [];
  return new Map(container?.env?.map(({ name, value, valueFrom }) => [name, value ?? JSON.stringify(valueFrom)]) ?? []);
}
