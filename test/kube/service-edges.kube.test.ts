import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object } from '../build/objects.ts';
import { useServices } from './services.ts';
import { until } from './until.ts';

const services = useServices();

/** Waits until a service says this reason. */
async function says(name: string, type: string, reason: string): Promise<void> {
  const { arena, build, reasonOf } = services();
  await arena.settled(build(name));
  await until(`${name} says ${reason}`, async () => {
    const found = await reasonOf(name, type);
    return found === reason || found;
  });
}

test('a selector that is longer than a status may have it leaves the status without it, and not unwritten', async () => {
  const { arena, build, namespace } = services();
  const values = Array.from({ length: 32 }, (_, n) => String(n).padStart(63, 'v'));
  const key = 'app.kubernetes.io/instance';
  const selector = { matchExpressions: [{ key, operator: 'In' as const, values }] };
  await arena.put(build('long', { backends: { discovery: 'selector', port: 80, replicas: 1, selector } }));
  await says('long', 'BackendsAvailable', 'NoBackendsFound');
  const { status } = (await arena.service(namespace, 'long')) ?? {};
  assert.deepEqual([status?.selector, typeof status?.identityDigest], [undefined, 'string']);
});

test('a profile whose text is cut amid a character is told of, with U+FFFD for the half', async () => {
  const { arena, build, namespace, profile } = services();
  await arena.put(profile('odd', { address: `a${'😀'.repeat(40)}` }));
  await arena.put(build('odd', { serverProfile: 'odd' }));
  await says('odd', 'ConfigurationValid', 'ServerProfileInvalid');
  const { status } = (await arena.service(namespace, 'odd')) ?? {};
  assert.match(status?.conditions?.find(({ type }) => type === 'ConfigurationValid')?.message ?? '', /😀\ufffd/);
});

test('a Service of a person is ready by an EndpointSlice of theirs, which has no label but its name', async () => {
  const { arena, build, namespace } = services();
  const labels = { 'frp.io/service': 'hand' };
  await arena.put(object('Service', 'db', { metadata: { namespace, labels }, spec: { ports: [{ port: 5432 }] } }));
  await arena.put(build('hand', { backends: { discovery: 'auto', port: 5432, replicas: 1 } }));
  await says('hand', 'BackendsAvailable', 'NoBackendsFound');
  await arena.put(
    object('discovery.k8s.io/v1 EndpointSlice', 'db-1', {
      metadata: { namespace, labels: { 'kubernetes.io/service-name': 'db' } },
      addressType: 'IPv4',
      ports: [{ port: 5432 }],
      endpoints: [{ addresses: ['10.9.8.7'], conditions: { ready: true } }],
    }),
  );
  await says('hand', 'BackendsAvailable', 'BackendsReady');
});

test('of two services of a namespace, one without a path and one at /, the second is told that the first has the host', async () => {
  const { arena, build } = services();
  const host = { serviceType: 'http', expose: { domains: ['edges.example.com'] } } as const;
  await arena.put(build('bare', host));
  await says('bare', 'ConfigurationValid', 'Valid');
  await arena.put(build('slash', { ...host, expose: { ...host.expose, locations: ['/'] } }));
  await says('slash', 'ConfigurationValid', 'ConflictingExposure');
});
