import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Fault } from '../../../packages/controller/testing/fault.ts';
import { type FaultProxy, type ProxyOptions, startFaultProxy } from './fault-proxy.ts';
import { openUpstream } from './upstream.ts';

/** A proxy in front of a server that keeps what is put under each path, one version after the other. */
export async function startStandIn(
  t: TestContext,
  faults: readonly Fault[],
  options: Partial<ProxyOptions> = {},
): Promise<{ readonly proxy: FaultProxy; readonly requests: string[]; readonly kept: Map<string, object> }> {
  const requests: string[] = [];
  const kept = new Map<string, object>();
  let version = 0;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = (request.url ?? '').replace(/\?.*/, '');
      requests.push(`${request.method ?? ''} ${path}`);
      version += 1;
      if (request.method !== 'GET') kept.set(path, versioned(JSON.parse(body) as object, version));
      const found = kept.get(path) ?? (path.endsWith('s') ? listOf(path, kept) : undefined);
      const answer = found ?? { kind: 'Status', code: 404 };
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const kubeconfig = writeKubeconfig(t, `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  const upstream = await openUpstream(kubeconfig);
  let at = 0;
  const tick = (): number => (at += 1);
  const proxy = await startFaultProxy({ upstream: upstream.ask, faults, meddle: async () => {}, tick, ...options });
  proxy.arm();
  t.after(async () => {
    await proxy.close();
    upstream.close();
    server.close();
    server.closeAllConnections();
  });
  return { proxy, requests, kept };
}

function versioned(object: object & { metadata?: object }, version: number): object {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

function listOf(path: string, kept: ReadonlyMap<string, object>): object {
  const items = [...kept].flatMap(([key, object]) => (key.startsWith(`${path}/`) ? [object] : []));
  return { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items };
}

function writeKubeconfig(t: TestContext, server: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-proxy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'kubeconfig');
  const context = { name: 'x', context: { cluster: 'x', user: 'x' } };
  const parts = { clusters: [{ name: 'x', cluster: { server } }], users: [{ name: 'x', user: { token: 'x' } }] };
  writeFileSync(file, JSON.stringify({ 'current-context': 'x', contexts: [context], ...parts }));
  return file;
}
