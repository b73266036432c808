import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../controller/domain/kube-object.ts';
import { timeOf } from '../../../controller/domain/time.ts';
import { createApi } from '../../../kube-api/api.ts';
import { startControllers } from '../../../kube-api/controllers/start.ts';
import { serveApi } from '../../../kube-api/http/server.ts';
import { createCredentials } from '../../cluster/credentials.ts';
import { logIn } from '../../pods/log-in.ts';
import { startNode } from '../../pods/node.ts';
import type { Pod } from '../../pods/pod-spec.ts';

/** A cluster with a node whose only program is Node.js: the script of a Pod is its argument. */
export async function startCluster(context: Pick<TestContext, 'after'>, { backOffMs = 50, runsPods = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-pods-'));
  const api = createApi({ logOf: logIn(folder) });
  const programs = { node: process.execPath };
  const stopControllers = startControllers({
    client: api.client,
    schedule: setImmediate,
    now: () => timeOf(Date.now() / 1000),
    otherNode: { name: 'this-machine', programs: Object.keys(programs) },
  });
  api.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const credentials = await createCredentials();
  const server = await serveApi(api, { port: 0, ...credentials });
  const warnings: string[] = [];
  const node =
    runsPods &&
    (await startNode({
      folder,
      version: '1',
      backOffMs,
      warn: (text) => warnings.push(text),
      access: { server: server.url, credentials: async () => ({ authorization: `Bearer ${credentials.token}` }) },
      machine: { programs, path: process.env['PATH'] ?? '' },
      places: { 'gate.shop': '127.0.0.1:1' },
    }));
  context.after(async () => {
    if (node !== false) await node.close(500);
    await server.close();
    stopControllers();
    api.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const find = (kind: string, name: string, apiVersion = 'v1') =>
    api.client.get({ apiVersion, kind, namespace: 'shop', name });
  return {
    client: api.client,
    folder,
    warnings,
    find,
    url: server.url,
    token: credentials.token,
    pod: (name: string) => find('Pod', name) as LivePod | undefined,
  };
}

export interface ContainerStatus {
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: Readonly<
    Record<string, { readonly reason?: string; readonly message?: string; readonly exitCode?: number }>
  >;
  readonly lastState: ContainerStatus['state'];
}

export type LivePod = Pod & { readonly status: { readonly containerStatuses?: readonly ContainerStatus[] } };

/** A Pod of one container that runs this script. */
export function scriptPod(name: string, script: string, { spec = {}, container = {}, metadata = {} } = {}): KubeObject {
  const containers = [{ name: 'main', image: 'node:24', args: ['-e', script], ...container }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name, ...metadata },
    spec: { containers, ...spec },
  } as KubeObject;
}

/** A web server that says this. */
export function says(text: string): string {
  return `require('node:http').createServer((_, answer) => answer.end(${text})).listen(8080, '127.0.0.1')`;
}

/** Asks until the answer is yes. */
export async function until(what: string, ask: () => unknown): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(`not within 20 s: ${what}`);
    await sleep(20);
  }
}

export function isReady(pod: Pod | undefined): boolean {
  return pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}
