import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { serverProfile } from '../../../../test/build/objects.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { look, reasonOf, service, tunnel } from '../../../../test/build/running-service.ts';
import { refOf } from '../../domain/kube-object.ts';

for (const [address, why] of [
  ['127.0.0.1', 'loopback'],
  ['localhost', 'the machine itself'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:10.0.0.1', 'disguise'],
  ['10.96.0.1', 'the API server'],
  ['kubernetes.default.svc', 'the API server'],
] as const) {
  test(`a server profile with the address ${address} is told as invalid, and no tunnel goes there`, async () => {
    const cluster = memoryCluster();
    for (const one of [serverProfile('default', { address, serverName: 'frps.example.com' }), service])
      cluster.put(one);
    await reconcileOn(cluster, refOf(service), { apiServer: '10.96.0.1' });
    const found = await look(cluster);
    assert.equal(reasonOf(found, 'ConfigurationValid'), 'ServerProfileInvalid');
    const said = found.status?.conditions?.find(({ type }) => type === 'ConfigurationValid')?.message ?? '';
    assert.ok(
      said.startsWith(`ConfigMap shop/frps-default: key "address" is ${address}, and this is`) && said.includes(why),
      said,
    );
    assert.equal(await cluster.get(tunnel), undefined);
  });
}
