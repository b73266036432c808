import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object, serverProfile } from '../build/objects.ts';
import { postEvent } from './post.ts';
import { mtls, useServices } from './services.ts';
import { until } from './until.ts';

const services = useServices();

test('auto: a labelled Pod makes the service run, another one joins, one that goes leaves; then nothing is written', async () => {
  const { arena, namespace, build, pod, tunnelOf, endpointsOf, addressOf } = services();
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
  const { arena, namespace, build, pod, endpointsOf, addressOf } = services();
  const selector = { matchLabels: { app: 'api' } };
  await arena.put(build('api', { backends: { discovery: 'selector', port: 'http', selector, replicas: 1 } }));
  await arena.put(pod('api-1', { app: 'api' }));
  await arena.running(namespace, 'api');
  assert.ok((await endpointsOf('api')).includes(await addressOf('api-1')));
  assert.equal((await arena.service(namespace, 'api'))?.status?.selector, 'app=api');
});

test('selector: expressions are served by a list of Pods, and the status says what that means', async () => {
  const { arena, namespace, build, pod, addressOf } = services();
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
  const { arena, namespace, build } = services();
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
  // Behind the Service there is no Pod, which the status says.
  assert.equal(status?.activeEndpoints, 1);
  const backends = status.conditions?.find(({ type }) => type === 'BackendsAvailable');
  assert.match(backends?.message ?? '', /Service db has no endpoint that is ready/);
  assert.deepEqual(status?.endpoints?.map(({ weight }) => weight).sort(), [1, 3]);
});

test('a changed server profile reaches the service that uses it', async () => {
  const { arena, namespace, build, child } = services();
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
  const { arena, namespace, build, reasonOf } = services();
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

test('an event of the resync, of the older version, or by name alone does what a change does', async () => {
  const { arena, build } = services();
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
