import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controllerOf, type KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { distributedService, serverProfile } from '../build/objects.ts';
import { mtls, useServices } from './services.ts';
import { until } from './until.ts';

const services = useServices();

for (const policy of ['Background', 'Foreground', 'Orphan']) {
  test(`deleted with ${policy}, a service takes everything of its own with it`, async () => {
    const { arena, namespace, build } = services();
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
  const { arena, namespace, build, tunnelOf } = services();
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
  const { arena } = services();
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
