import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnudgeError } from '../../../../packages/controller/domain/errors.ts';
import { memoryCluster } from '../../../../test/build/memory-cluster.ts';
import { distributedService, object, serverProfile } from '../../../../test/build/objects.ts';
import { usersOfConfigMap } from '../../parents/profile-users.ts';
import type { DistributedService } from '../../types.ts';

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

test('a ConfigMap that is deleted wakes who is named to use it, and who cannot use the profile that its status names', async () => {
  const statuses = {
    its: ['knudge/frps-gone', 'True'],
    'of-another': ['knudge/frps-default', 'True'],
    'with-two': ['knudge/frps-default', 'False'],
    without: [undefined, 'False'],
  } as const;
  const cluster = memoryCluster();
  for (const [name, [serverProfile, status]] of Object.entries(statuses)) {
    const valid = {
      type: 'ConfigurationValid',
      status,
      reason: 'Whatever',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const told = { conditions: [valid], ...(serverProfile !== undefined && { serverProfile }) };
    const service: DistributedService = { ...distributedService(name), status: told };
    cluster.put(service);
  }
  const hint = object('ConfigMap', 'frps-gone', {
    metadata: { labels: { 'frp.io/server-profile': 'default' }, namespace: 'knudge' },
  });
  const users = await usersOfConfigMap(hint, { reader: cluster, controllerNamespace: 'knudge' });
  assert.deepEqual(users.map(({ name }) => name).toSorted(), ['its', 'with-two', 'without']);
});
