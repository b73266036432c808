import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { pathOf } from './install.ts';
import { mtls, runWeb, useServices } from './services.ts';
import { until } from './until.ts';

/** Beside `web`, a service that has every child there is. */
const services = useServices(async (all) => {
  await runWeb(all);
  const { arena, build, namespace, pod } = all;
  await arena.put(pod('full-1', { app: 'full' }));
  const selector = { matchLabels: { app: 'full' } };
  await arena.put(
    build('full', { backends: { discovery: 'selector', port: 8080, selector, replicas: 1 }, security: mtls }),
  );
  await arena.running(namespace, 'full');
});

interface Row {
  readonly parent: 'web' | 'full';
  readonly kind: string;
  readonly name: string;
  readonly apiVersion?: string;
  /** What somebody writes into it, with the word "mine" or its base64 in it. */
  readonly drift: object;
}

const image = { spec: { template: { spec: { containers: [{ name: 'frpc', image: 'mine' }] } } } };
const rows: readonly Row[] = [
  { parent: 'web', kind: 'ConfigMap', name: 'frp-web-config', drift: { data: { 'frpc.json': 'mine' } } },
  { parent: 'web', kind: 'ConfigMap', name: 'frp-web-endpoints', drift: { data: { 'eds.json': 'mine' } } },
  { parent: 'web', kind: 'Service', name: 'frp-web-balanced', drift: { spec: { selector: { app: 'mine' } } } },
  { parent: 'web', kind: 'Service', name: 'frp-web-balanced', drift: { spec: { selector: { more: 'mine' } } } },
  { parent: 'web', kind: 'Deployment', name: 'frp-web', apiVersion: 'apps/v1', drift: image },
  {
    parent: 'web',
    kind: 'Secret',
    name: 'frp-web-identity',
    drift: { metadata: { labels: { 'knudge.dev/owner-uid': 'mine' } } },
  },
  { parent: 'full', kind: 'Secret', name: 'frp-full-tls', drift: { data: { 'tls.crt': 'bWluZQ==' } } },
  { parent: 'full', kind: 'Service', name: 'frp-full-backends', drift: { spec: { selector: { app: 'mine' } } } },
];

/** Without its managed fields, which keep the words of its writer. */
function wordsOf(object: KubeObject | undefined): string {
  if (object === undefined) return 'mine: it is gone';
  const { managedFields, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata });
}

for (const { parent, kind, name, apiVersion = 'v1', drift } of rows) {
  test(`${kind} ${name}: what somebody changed is mended, what was deleted comes back`, async () => {
    const { arena, namespace, build, child } = services();
    const original = await child(kind, name, apiVersion);
    assert.ok(original);
    const { metadata = {} }: { readonly metadata?: object } = drift;
    await arena.put({ apiVersion, kind, ...drift, metadata: { ...metadata, name, namespace } } as KubeObject);
    await until(
      'it is no longer theirs',
      async () => !/"mine|bWluZQ==/.test(wordsOf(await child(kind, name, apiVersion))),
    );
    await arena.remove(original);
    await until('another one is there', async () => {
      const now = await child(kind, name, apiVersion);
      return now !== undefined && now.metadata.uid !== original.metadata.uid;
    });
    await arena.running(namespace, parent);
    await arena.settled(build(parent));
  });
}

test('a port that somebody put in the place of ours, under its name, goes, and the Service stays', async () => {
  const { arena, namespace, build, child } = services();
  const portsOf = (object: KubeObject | undefined): unknown =>
    (object as unknown as { readonly spec: { readonly ports: readonly { readonly name: string }[] } })?.spec.ports;
  const original = await child('Service', 'frp-web-balanced', 'v1');
  assert.ok(original);
  const [own] = portsOf(original) as readonly { readonly name: string }[];
  const ports = [{ name: own?.name, port: 9999, protocol: 'TCP' }];
  const path = pathOf('v1', 'Service', { namespace, name: 'frp-web-balanced' });
  const contentType = 'application/merge-patch+json';
  assert.equal((await arena.api('PATCH', path, { body: { spec: { ports } }, contentType })).status, 200);
  await until('ours is back', async () => {
    const now = await child('Service', 'frp-web-balanced', 'v1');
    return isDeepStrictEqual(portsOf(now), portsOf(original)) && now?.metadata.uid === original.metadata.uid;
  });
  await arena.running(namespace, 'web');
  await arena.settled(build('web'));
});
