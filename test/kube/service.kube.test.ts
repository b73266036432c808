import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import type { DistributedServiceSpec } from '../../src/domain/distributed-service.ts';
import { controllerOf, type KubeObject } from '../../src/domain/kube-object.ts';
import { distributedService, object, serverProfile } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { postEvent } from './post.ts';
import { until } from './until.ts';

let arena: Arena;
let namespace: string;

const build = (name: string, spec: Partial<DistributedServiceSpec> = {}): KubeObject =>
  distributedService(name, spec, { namespace });
const mtls = { mtls: { enabled: true, autoGenerate: true } };
const pod = (name: string, labels: Record<string, string>): KubeObject =>
  object('Pod', name, {
    metadata: { namespace, labels },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'app', image: 'app:1', ports: [{ name: 'http', containerPort: 8080 }] }],
    },
  });
const child = (kind: string, name: string, apiVersion = 'v1') => arena.get(apiVersion, kind, { namespace, name });
const tunnelOf = (name: string) => child('Deployment', `frp-${name}`, 'apps/v1');
const endpointsOf = async (name: string): Promise<string> =>
  ((await child('ConfigMap', `frp-${name}-endpoints`)) as { data?: Record<string, string> } | undefined)?.data?.[
    'eds.json'
  ] ?? '';
const addressOf = async (name: string): Promise<string> =>
  ((await child('Pod', name)) as { status?: { podIP?: string } } | undefined)?.status?.podIP ?? 'none yet';
const reasonOf = async (name: string, type: string): Promise<string | undefined> =>
  (await arena.service(namespace, name))?.status?.conditions?.find((condition) => condition.type === type)?.reason;

before(async () => {
  arena = await openArena();
  namespace = await arena.namespace('services');
  await arena.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace } });
});
after(async () => {
  await arena.close();
  assert.deepEqual(arena.source?.failures, []);
});

test('auto: a labelled Pod makes the service run, another one joins, one that goes leaves; then nothing is written', async () => {
  await arena.put(build('web'));
  await until(
    'the service is provisioning',
    async () => (await arena.service(namespace, 'web'))?.status?.state === 'Provisioning',
  );
  await arena.put(pod('web-1', { 'frp.io/service': 'web' }));
  await arena.running(namespace, 'web');
  const uid = (await tunnelOf('web'))?.metadata.uid;
  await arena.put(pod('web-2', { 'frp.io/service': 'web' }));
  await until('both are endpoints', async () => (await endpointsOf('web')).includes(await addressOf('web-2')));
  const gone = await addressOf('web-1');
  await arena.remove(pod('web-1', {}));
  await until('one is left', async () => !(await endpointsOf('web')).includes(gone));
  await arena.running(namespace, 'web');
  await arena.settled(build('web'));
  assert.equal((await tunnelOf('web'))?.metadata.generation, 1, 'the tunnel was never touched');
  assert.equal((await tunnelOf('web'))?.metadata.uid, uid);
  const events = await arena.api('GET', `/apis/events.k8s.io/v1/namespaces/${namespace}/events`);
  const reasons = (events.body as { items: { reason: string; regarding: { name: string } }[] }).items
    .filter(({ regarding }) => regarding.name === 'web')
    .map(({ reason }) => reason);
  for (const reason of ['Provisioning', 'Running', 'BackendsReady'])
    assert.ok(reasons.includes(reason), `${reason} in ${reasons.join()}`);
});

test('selector: the endpoints of the headless Service are the backends', async () => {
  const selector = { matchLabels: { app: 'api' } };
  await arena.put(build('api', { backends: { discovery: 'selector', port: 'http', selector, replicas: 1 } }));
  await arena.put(pod('api-1', { app: 'api' }));
  await arena.running(namespace, 'api');
  assert.ok((await endpointsOf('api')).includes(await addressOf('api-1')));
  assert.equal((await arena.service(namespace, 'api'))?.status?.selector, 'app=api');
});

test('selector: expressions are served by a list of Pods, and the status says what that means', async () => {
  const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] } as const;
  await arena.put(pod('expr-1', { app: 'a' }));
  await until('the Pod has an address', async () => (await addressOf('expr-1')) !== 'none yet');
  await arena.put(build('expr', { backends: { discovery: 'selector', port: 8080, selector, replicas: 1 } }));
  await arena.running(namespace, 'expr');
  const condition = (await arena.service(namespace, 'expr'))?.status?.conditions?.find(
    ({ type }) => type === 'BackendsAvailable',
  );
  assert.match(condition?.message ?? '', /matchExpressions/);
});

test('manual: addresses and Services with weights', async () => {
  await arena.put(
    object('Service', 'db', { metadata: { namespace }, spec: { ports: [{ port: 5432, protocol: 'TCP' }] } }),
  );
  const endpoints = [
    { host: '10.1.2.3', port: 5432, weight: 3 },
    { host: 'db', port: 5432, weight: 1 },
  ];
  await arena.put(build('manual', { backends: { discovery: 'manual', endpoints, replicas: 1 } }));
  await arena.running(namespace, 'manual');
  const { status } = (await arena.service(namespace, 'manual')) ?? {};
  assert.equal(status?.activeEndpoints, 2);
  assert.deepEqual(status?.endpoints?.map(({ weight }) => weight).sort(), [1, 3]);
});

test('certificates are made once, mounted, and taken away with mtls', async () => {
  await arena.put(pod('tls-1', { 'frp.io/service': 'tls' }));
  await arena.put(build('tls', { security: mtls }));
  await arena.running(namespace, 'tls');
  assert.equal(await reasonOf('tls', 'CertificatesReady'), 'CertificatesProvisioned');
  const secret = (await child('Secret', 'frp-tls-tls')) as { data?: Record<string, string>; type?: string } | undefined;
  assert.equal(secret?.type, 'kubernetes.io/tls');
  assert.match(JSON.stringify(await tunnelOf('tls')), /frp-tls-tls/);
  await arena.settled(build('tls'));
  await arena.put(build('tls'));
  await until('the leaf and its mount are gone', async () => {
    const [leaf, tunnel] = [await child('Secret', 'frp-tls-tls'), JSON.stringify(await tunnelOf('tls'))];
    return leaf === undefined && !tunnel.includes('frp-tls-tls');
  });
  await arena.running(namespace, 'tls');
});

test('kubectl scale sets what must be active, and scales the workload where one is named', async () => {
  const scale = (name: string, replicas: number): void => {
    const { status, stderr } = spawnSync('kubectl', [
      '--kubeconfig',
      arena.kubeconfig,
      '-n',
      namespace,
      'scale',
      `distributedservice/${name}`,
      `--replicas=${String(replicas)}`,
    ]);
    assert.equal(status, 0, `kubectl is needed for this test: ${String(stderr)}`);
  };
  scale('web', 5);
  await until('too few backends', async () => (await reasonOf('web', 'BackendsAvailable')) === 'TooFewBackends');
  scale('web', 1);
  await arena.running(namespace, 'web');
  const labels = { app: 'work', 'frp.io/service': 'scaled' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  const workload = object('apps/v1 Deployment', 'work', {
    metadata: { namespace },
    spec: { replicas: 1, selector: { matchLabels: { app: 'work' } }, template },
  });
  await arena.put(workload);
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'work' } as const;
  await arena.put(build('scaled', { backends: { discovery: 'auto', port: 8080, replicas: 2, workloadRef } }));
  await arena.running(namespace, 'scaled');
  const replicas = async () =>
    ((await child('Deployment', 'work', 'apps/v1')) as { spec?: { replicas?: number } } | undefined)?.spec?.replicas;
  await until('the workload has two', async () => (await replicas()) === 2);
  scale('scaled', 3);
  await until(
    'the workload has three and all are active',
    async () => (await replicas()) === 3 && (await arena.service(namespace, 'scaled'))?.status?.activeEndpoints === 3,
  );
  assert.equal((await arena.service(namespace, 'scaled'))?.status?.selector, 'app=work');
});

const drift: readonly [kind: string, name: string, apiVersion: string, change: (live: KubeObject) => object][] = [
  ['ConfigMap', 'frp-web-config', 'v1', () => ({ data: { 'frpc.json': 'mine' } })],
  ['ConfigMap', 'frp-web-endpoints', 'v1', () => ({ data: { 'eds.json': '{}' } })],
  ['Service', 'frp-web-balanced', 'v1', () => ({ spec: { selector: { app: 'mine' } } })],
  [
    'Deployment',
    'frp-web',
    'apps/v1',
    () => ({ spec: { template: { spec: { containers: [{ name: 'frpc', image: 'mine' }] } } } }),
  ],
  ['Secret', 'frp-web-identity', 'v1', () => ({ metadata: { labels: { 'knudge.dev/owner-uid': 'mine' } } })],
];
for (const [kind, name, apiVersion, change] of drift) {
  test(`${kind} ${name}: what somebody changed is mended, what was deleted comes back`, async () => {
    const before = await child(kind, name, apiVersion);
    assert.ok(before);
    const metadata = { name, namespace };
    await arena.put({
      apiVersion,
      kind,
      ...change(before),
      metadata: { ...metadata, ...(change(before) as Partial<KubeObject>).metadata },
    } as KubeObject);
    await until('it is as before', async () => {
      const { metadata: now, ...rest } = (await child(kind, name, apiVersion)) ?? { metadata: undefined };
      const { metadata: was, ...old } = before;
      const same = ['data', 'type', 'immutable'].every(
        (field) => JSON.stringify(Reflect.get(rest, field)) === JSON.stringify(Reflect.get(old, field)),
      );
      const container = JSON.stringify(rest).includes('"mine"');
      return same && !container && JSON.stringify(now?.labels) === JSON.stringify(was.labels);
    });
    await arena.remove(before);
    await until('another one is there', async () => {
      const now = await child(kind, name, apiVersion);
      return now !== undefined && now.metadata.uid !== before.metadata.uid;
    });
    await arena.running(namespace, 'web');
    await arena.settled(build('web'));
  });
}

test('a changed server profile reaches the service that uses it', async () => {
  await arena.put({
    ...serverProfile('other', { port: '7100' }),
    metadata: { ...serverProfile('other').metadata, namespace },
  });
  await arena.put(build('far', { serverProfile: 'other', backends: { discovery: 'auto', port: 8080, replicas: 0 } }));
  const config = async () => JSON.stringify(await child('ConfigMap', 'frp-far-config'));
  await until('the first port is there', async () => (await config()).includes('7100'));
  await arena.put({
    ...serverProfile('other', { port: '7200' }),
    metadata: { ...serverProfile('other').metadata, namespace },
  });
  await until('the second port is there', async () => (await config()).includes('7200'));
});

test('two processes with the same event at once make one set of children', async () => {
  const { functions } = arena;
  await arena.put(build('pair', { security: mtls }));
  const twice = [
    functions.of('distributed-service-changed'),
    functions.of('pod-changed'),
    functions.of('service-changed'),
  ];
  const hint = object('Service', 'x', { metadata: { namespace, labels: { 'frp.io/service': 'pair' } } });
  const podHint = { ...hint, kind: 'Pod' };
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      postEvent(twice[index % 3]?.url ?? '', [build('pair'), podHint, hint][index % 3] ?? hint),
    ),
  );
  assert.deepEqual(
    answers.filter(({ status }) => status !== 204 && status !== 503),
    [],
  );
  await arena.settled(build('pair'));
  assert.equal(await reasonOf('pair', 'CertificatesReady'), 'CertificatesProvisioned');
  const secrets = (await arena.list('v1', 'Secret', namespace)).filter((secret) =>
    secret.metadata.name.startsWith('frp-pair'),
  );
  assert.equal(secrets.length, 2);
});

for (const policy of ['Background', 'Foreground', 'Orphan']) {
  test(`deleted with ${policy}, a service takes everything of its own with it`, async () => {
    const name = `gone-${policy.toLowerCase()}`;
    await arena.put(build(name, { security: mtls, backends: { discovery: 'auto', port: 8080, replicas: 0 } }));
    await arena.running(namespace, name);
    await arena.remove(build(name), policy);
    await until('the service is gone', async () => (await arena.service(namespace, name)) === undefined);
    for (const [kind, apiVersion] of [
      ['Deployment', 'apps/v1'],
      ['ConfigMap', 'v1'],
      ['Secret', 'v1'],
      ['Service', 'v1'],
    ] as const) {
      await until(`no ${kind} is left`, async () => {
        const left = (await arena.list(apiVersion, kind, namespace)).filter((one) =>
          one.metadata.name.startsWith(`frp-${name}`),
        );
        return left.length === 0 || left.map((one) => one.metadata.name);
      });
    }
  });
}

test('a service that is deleted and made again under the same name runs again', async () => {
  const spec = { backends: { discovery: 'auto', port: 8080, replicas: 0 } } as const;
  await arena.put(build('again', spec));
  await arena.running(namespace, 'again');
  const uid = (await arena.service(namespace, 'again'))?.metadata.uid;
  await arena.remove(build('again'));
  await until('it is gone', async () => (await arena.service(namespace, 'again')) === undefined);
  await arena.put(build('again', spec));
  await arena.running(namespace, 'again');
  const now = await arena.service(namespace, 'again');
  assert.notEqual(now?.metadata.uid, uid);
  const owner = (await tunnelOf('again')) as KubeObject;
  assert.equal(controllerOf(owner)?.uid, now?.metadata.uid);
});

test('a namespace that is deleted goes, with its services and their finalizers', async () => {
  const doomed = await arena.namespace('services-doomed');
  await arena.put({ ...serverProfile(), metadata: { ...serverProfile().metadata, namespace: doomed } });
  const spec = { backends: { discovery: 'auto', port: 8080, replicas: 0 }, security: mtls } as const;
  await arena.put(distributedService('last', spec, { namespace: doomed }));
  await arena.running(doomed, 'last');
  await arena.remove({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: doomed } });
  await until(
    'the namespace is gone',
    async () => (await arena.get('v1', 'Namespace', { name: doomed })) === undefined,
    60,
  );
});

test('an event of the resync, of the older version, or by name alone does what a change does', async () => {
  const { url } = arena.functions.of('distributed-service-changed');
  const older = { ...build('web'), apiVersion: 'frp.io/v1' };
  for (const [what, type] of [
    [build('web'), 'dev.knudge.resync.requested'],
    [older, 'resource.update'],
    [build('web'), 'ref.update'],
  ] as const) {
    const { status, outcome } = await postEvent(url, what, { type });
    assert.equal(status, 204);
    assert.match(outcome, /^done; reads=\d+; writes=0$/);
  }
  const planned = await postEvent(url, build('api'), { query: '?dryRun=All' });
  assert.equal(planned.status, 200);
  assert.deepEqual(JSON.parse(planned.body).plans[0].plan.writes, []);
});
