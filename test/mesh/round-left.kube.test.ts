import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createCluster } from '../../packages/controller/cluster/cluster.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { install } from '../kube/install.ts';
import { until } from '../kube/until.ts';
import { startProcess } from './running-mesh.ts';
import '../../resources/managed/kinds.ts';

const lease = { namespace: 'knudge', name: 'knudge-resync' };

/** This long before the mesh starts the one before it was last heard of, of 30 s after which nobody waits for it. */
const agoMs = 20_000;

test('a mesh that was ended in the middle of a resync takes nothing from the first resync of the next', async (context) => {
  await install(apiFrom(testKubeconfig()));
  const access = await outsideCluster({ kubeconfig: testKubeconfig() });
  const cluster = createCluster({ access, version: 'test', instance: 'test', onLostNotice: () => undefined });
  context.after(() => cluster.close());
  const { version } = await cluster.kept(lease);
  const seen = cluster.now() - agoMs;
  const left = { id: randomUUID(), key: 'left', before: '', began: seen, seen, step: 0, tries: 1 };
  await cluster.keepRound(lease, left, version);

  const mesh = await startProcess('--kubeconfig', testKubeconfig());
  context.after(mesh.remove);
  const answered = () =>
    mesh.hops
      .filter(({ kind, trigger }) => kind === 'delivered' && trigger === 'knudge/resync-due')
      .map((hop) => (hop['headers'] as Readonly<Record<string, string>>)['knudge-outcome']?.split(';')[0]);
  // A tick of the PingSource may come meanwhile, and is passed over or does it.
  await until('a resync is done', async () => answered().includes('done') || answered(), 40);
  const told = mesh.hops.filter(({ kind, about }) => kind === 'warning' && about === 'resync');
  assert.equal(told.length, 1);
  mesh.signal('SIGINT');
  assert.equal(await mesh.ended(), 0);
});
