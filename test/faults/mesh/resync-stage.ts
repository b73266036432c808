import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi } from '../../../packages/kube-api/api.ts';
import type { Client } from '../../../packages/kube-api/client.ts';
import { serveApi } from '../../../packages/kube-api/http/server.ts';
import { postEvent } from '../../../packages/mesh/broker/http-deliver.ts';
import { createBroker } from '../../../packages/mesh/broker/ingress.ts';
import { serveIngress } from '../../../packages/mesh/broker/ingress-server.ts';
import type { Destination } from '../../../packages/mesh/cloud-event.ts';
import { createCredentials } from '../../../packages/mesh/cluster/credentials.ts';
import type { Hop } from '../../../packages/mesh/hop.ts';
import type { BrokerSpec, TriggerSpec } from '../../../packages/mesh/mesh-spec.ts';
import { message } from '../../build/objects.ts';
import { until } from '../../kube/until.ts';
import { manifests } from '../sim/source.ts';
import { postTo, startReconcilers } from './resync-around.ts';

/** The resync as a process, a Broker of one class with the Triggers of the manifests, and an API server full of parents. */
export interface ResyncStage {
  readonly client: Client;
  /** What the functions of the parents were asked: `namespace/name`, how often. */
  readonly asked: Map<string, number>;
  readonly hops: readonly Hop[];
  /** Called for each event that reaches a function of a parent; its milliseconds are what a reconcile takes. */
  react: (key: string, id: string) => number;
  /** Hands the Broker a tick; resolves when its ingress has answered. */
  tick(id: string): Promise<number>;
  /** An event about an object, as a source sends it; resolves when the ingress has answered. */
  change(id: string, namespace: string, name: string): Promise<void>;
  /** The process of the resync. */
  fn(): ChildProcess;
  /** Another in the place of one that has died. */
  restart(): Promise<void>;
  /** Megabytes in memory; 0 where it does not run. */
  memory(): number;
  /** When the last whole round began, in milliseconds; 0: never. */
  whole(): number;
  close(): Promise<void>;
}

/** As it is deployed: below the time-out of its Trigger. */
const { HANDLER_DEADLINE_SECONDS = '' } = manifests.functions.find(({ name }) => name === 'resync-due')?.env ?? {};
const deadline = { HANDLER_DEADLINE_SECONDS };
export const deadlineMs = Number(HANDLER_DEADLINE_SECONDS) * 1000;

const home = { apiVersion: 'myorg.dev/v1', kind: 'Message' };

export async function openResyncStage(
  kind: BrokerSpec['class'],
  parents: ReadonlyMap<string, number>,
): Promise<ResyncStage> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-resync-'));
  const api = createApi();
  const credentials = await createCredentials();
  const headers = { authorization: `Bearer ${credentials.token}` };
  const served = await serveApi(api, { port: 0, ...credentials });
  for (const crd of manifests.objects.filter((one) => one.kind === 'CustomResourceDefinition')) api.client.create(crd);
  await until(
    'Messages are served',
    async () => (await fetch(`${served.url}/apis/myorg.dev/v1/messages`, { headers })).ok,
  );
  for (const name of ['knudge', ...parents.keys()]) {
    api.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  for (const [namespace, count] of parents) {
    for (let at = 0; at < count; at += 1) api.client.create(message(nameAt(at), 'hi', { namespace }));
  }
  const asked = new Map<string, number>();
  const reconcilers = await startReconcilers((key, id) => {
    asked.set(key, (asked.get(key) ?? 0) + 1);
    return stage.react(key, id);
  });
  let [running, port] = [undefined as ChildProcess | undefined, 0];
  let up: Promise<unknown> = Promise.resolve();
  const hops: Hop[] = [];
  const addressOf = (to: Destination): string =>
    to.kind === 'function' && to.name === 'resync-due' ? `http://127.0.0.1:${port}/` : reconcilers.url;
  const [spec] = manifests.brokers;
  if (spec === undefined) throw new Error('the manifests have no Broker');
  const broker = createBroker(
    { ...spec, class: kind },
    {
      triggers: manifests.triggers.filter(isOurs),
      deliver: async (to, event, timeoutMs) => {
        // As Knative's activator does: what comes while it starts waits.
        await up;
        return postEvent(addressOf(to), event, timeoutMs);
      },
      report: (hop) => void (isKept(hop) && hops.push(hop)),
      dir,
      graceMs: 1000,
    },
  );
  const ingress = await serveIngress(new Map([[`${spec.namespace}/${spec.name}`, broker]]), { port: 0 });
  const sink = `${ingress.url}/${spec.namespace}/${spec.name}`;
  const start = async (): Promise<void> => {
    const starting = startFunction({ sink, api: served.url, token: credentials.token, port });
    up = starting;
    [running, port] = await starting;
  };
  const post = (headers: Readonly<Record<string, string>>): Promise<number> =>
    postTo(sink, { 'ce-specversion': '1.0', 'ce-time': new Date().toISOString(), ...headers });
  const stage: ResyncStage = {
    client: api.client,
    asked,
    hops,
    react: () => 0,
    tick: (id) => post({ 'ce-id': id, 'ce-type': 'dev.knudge.resync.due', 'ce-source': '/test' }),
    change: async (id, namespace, name) => {
      const extensions = { 'ce-apiversion': home.apiVersion, 'ce-kind': home.kind, 'ce-namespace': namespace };
      await post({
        'ce-id': id,
        'ce-type': 'dev.knative.apiserver.ref.update',
        'ce-source': '/api',
        'ce-name': name,
        ...extensions,
      });
    },
    fn: () => running as ChildProcess,
    restart: start,
    memory: () => memoryOf(running),
    whole: () => wholeOf(api.client),
    close: async () => {
      running?.kill('SIGKILL');
      await broker.close();
      reconcilers.server.close().closeAllConnections();
      await Promise.all([ingress.close(), served.close()]);
      api.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  await start();
  return stage;
}

export const nameAt = (at: number): string => `m${String(at).padStart(5, '0')}`;

/** The resync's own, and one for the parents that there are. */
function isOurs({ name }: TriggerSpec): boolean {
  return name === 'resync-due' || name === 'message-changed';
}

/** Ten thousand deliveries that went well are of no use to anybody. */
function isKept(hop: Hop): boolean {
  return hop.kind !== 'delivered' || hop.status !== 204 || hop.trigger.endsWith('resync-due');
}

/** On the same port as the one before it, which the Broker knows. */
async function startFunction(given: {
  sink: string;
  api: string;
  token: string;
  port: number;
}): Promise<[ChildProcess, number]> {
  const env = {
    PATH: process.env['PATH'],
    PORT: String(given.port),
    API_SERVER_URL: given.api,
    API_SERVER_TOKEN: given.token,
    K_SINK: given.sink,
    ...deadline,
    NODE_NO_WARNINGS: '1',
  };
  const child = spawn(process.execPath, ['packages/start/function.ts', 'resync-due'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (log.length < 10_000) log += chunk.toString();
  });
  await until('resync-due listens', async () => /"port":\d+/.test(log) || log, 60);
  return [child, Number(/"port":(\d+)/.exec(log)?.[1])];
}

function memoryOf(child: ChildProcess | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child?.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function wholeOf(client: Client): number {
  const ref = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'knudge', name: 'knudge-resync' };
  const { spec } = (client.get(ref) ?? {}) as { spec?: { renewTime?: string } };
  return Date.parse(spec?.renewTime ?? '') || 0;
}
