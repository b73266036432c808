import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../../../packages/controller/domain/errors.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, object, serverProfile } from '../../../../test/build/objects.ts';
import { usersOfConfigMap } from '../../parents/profile-users.ts';

test('what an event carries as the name of a profile is no selector of its own making', async () => {
  const asked: string[] = [];
  const cluster = memoryCluster();
  cluster.put(distributedService('web'));
  const reader = {
    ...cluster,
    list: async (query: Parameters<typeof cluster.list>[0]) => {
      asked.push(query.fieldSelector ?? '');
      return cluster.list(query);
    },
  };
  for (const label of ['default,metadata.name=web', '', 'a=b', '!', 'a'.repeat(64)]) {
    const hint = object('ConfigMap', 'frps-gone', { metadata: { labels: { 'frp.io/server-profile': label } } });
    assert.deepEqual(await usersOfConfigMap(hint, { reader, controllerNamespace: 'knudge' }), [], label);
  }
  assert.deepEqual(asked, []);
});

test('where the API server knows no selectable fields, who uses a profile is found among all services', async () => {
  const cluster = memoryCluster();
  for (const one of [distributedService('web'), distributedService('other', { serverProfile: 'another' })])
    cluster.put(one);
  const profile = cluster.put(serverProfile());
  const reader = {
    ...cluster,
    list: async (query: Parameters<typeof cluster.list>[0]) => {
      if (query.fieldSelector === undefined) return cluster.list(query);
      throw new KnudgeError('unexpected-answer', 'field label not supported: spec.serverProfile');
    },
  };
  const users = await usersOfConfigMap(profile, { reader, controllerNamespace: 'knudge' });
  assert.deepEqual(
    users.map(({ name }) => name),
    ['web'],
  );
});
