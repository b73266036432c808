import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../src/domain/kube-object.ts';
import { useServices } from './services.ts';
import { until } from './until.ts';

const services = useServices('web');

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
    const { arena, namespace, build, child } = services();
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
