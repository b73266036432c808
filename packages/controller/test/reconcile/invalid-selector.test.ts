import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childName } from '../../../../resources/distributed-service/names.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look, reasonOf, running, service } from '../../../../test/build/running-service.ts';
import { refOf } from '../../domain/kube-object.ts';

const selecting = (key: string) => ({
  backends: { ...service.spec.backends, discovery: 'selector', port: 80, selector: { matchLabels: { [key]: 'x' } } },
});

test('a selector whose key is no key of a label makes no Service, and is told in our words', async () => {
  const cluster = await running();
  const spec = { ...service.spec, ...selecting('no key') };
  cluster.put({ ...(await look(cluster)), spec } as typeof service);
  const { writes } = await reconcileOn(cluster, refOf(service));
  assert.equal(reasonOf(await look(cluster), 'ConfigurationValid'), 'InvalidSpec');
  const services = cluster.objects().filter(({ kind }) => kind === 'Service');
  assert.ok(!services.some(({ metadata }) => metadata.name === childName('web', 'backends')));
  assert.ok(writes > 0);
  assert.equal((await reconcileOn(cluster, refOf(service), { now: '2026-02-01T00:00:00Z' })).writes, 0);
});
