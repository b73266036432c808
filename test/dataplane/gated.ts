import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { frpGate, keepShut } from '../../functions/frp-gate.ts';
import { type KubeObject, refOf } from '../../packages/controller/domain/kube-object.ts';
import { reactToQuestions } from '../../packages/controller/react/question.ts';
import { type LogLine, startApp } from '../../packages/controller/test/server/start.ts';
import { issuer } from '../../packages/issuing/issuer.ts';
import { fileNames, podLayout } from '../../resources/distributed-service/envoy/data-plane.ts';
import type { DistributedServiceSpec } from '../../resources/distributed-service/types.ts';
import { installed } from '../../tools/dataplane/install.ts';
import { type MemoryCluster, memoryCluster } from '../build/memory-cluster.ts';
import { backendPod, distributedService, object } from '../build/objects.ts';
import { reconcileOn } from '../build/run.ts';
import { root } from '../house/files.ts';
import { outsideOfPod } from './outside-of-a-pod.ts';
import { freePort, type Running, start, temporaryFolder, until } from './programs.ts';

const tools = await installed();
const life = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-01-01T00:00:00Z' };
const serverName = 'frps.knudge.svc.cluster.local';
const serverAuthority = await issuer.authority({ commonName: 'CA of frps', ...life });
const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/** What a client that wants what is not its own puts in the place of parts of frpc's configuration. */
export type Forge = (config: Config) => Partial<Config>;

interface Config {
  serverAddr: string;
  serverPort: number;
  metadatas: Record<string, string>;
  proxies: Record<string, unknown>[];
  [field: string]: unknown;
}

/** A service in a cluster, a gate that asks that cluster, and the frps of deploy/frps that asks that gate. */
export interface Gated {
  readonly cluster: MemoryCluster;
  readonly service: KubeObject;
  readonly ports: { readonly bind: number; readonly http: number; readonly remote: number; readonly gate: number };
  readonly frps: Running;
  /** What the gate has said of each question. */
  readonly lines: readonly LogLine[];
  /** Copies what the Pod of the tunnel has mounted, as somebody who stole it would. */
  copy(name: string, forge?: Forge): string;
  /** Starts frpc with such a copy. */
  login(config: string): Running;
  /** Takes the Secret with the token away, and has the controller make another. */
  deleteIdentity(): Promise<void>;
  /** Writes a service, and has the controller make it. */
  write(service: KubeObject): Promise<void>;
  /** Deletes the service, and has the controller clean up. */
  deleteService(): Promise<void>;
  closeGate(): Promise<void>;
  /** The gate comes back at its port. */
  openGate(): Promise<void>;
}

export async function gated(
  context: TestContext,
  { heartbeat, spec = {} }: { readonly heartbeat?: number; readonly spec?: Partial<DistributedServiceSpec> } = {},
): Promise<Gated> {
  const folder = temporaryFolder(context);
  const file = (name: string, text: string | Buffer): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [bind, http, remote, web] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const cluster = memoryCluster({ now });
  const mtls = { security: { mtls: { enabled: true, autoGenerate: true } } };
  const service = distributedService('web', { ...mtls, expose: { remotePort: remote }, ...spec });
  for (const one of [profile(heartbeat), service, backendPod('web-1', '10.0.0.1')]) cluster.put(one);
  await reconcileOn(cluster, refOf(service), { now: now() });

  const { app, lines } = startApp({
    reaction: reactToQuestions(
      { handle: frpGate, failed: keepShut },
      { reader: cluster, controllerNamespace: 'knudge' },
    ),
  });
  // At once: also where the server does not start, nothing keeps the process of the test alive.
  context.after(() => closeServer(app));
  await listen(app, 0);
  const gate = (app.address() as AddressInfo).port;
  await answerHello(context, web);
  const frps = await startFrps(context, file, {
    bind,
    http,
    gate,
    clients: await text(cluster, { kind: 'Secret', name: 'frp-default-ca', key: 'ca.crt' }),
  });
  const mounted = new Map<string, string>();
  for (const [kind, name] of [
    ['ConfigMap', 'frp-web-config'],
    ['Secret', 'frp-web-identity'],
    ['Secret', 'frp-web-tls'],
  ] as const) {
    for (const key of keys) mounted.set(key, mounted.get(key) || (await text(cluster, { kind, name, key })));
  }
  return {
    ...{ cluster, service, frps, lines, ports: { bind, http, remote, gate } },
    copy: (name, forge = () => ({})) => {
      const at = temporaryFolder(context);
      for (const [key, value] of mounted) writeFileSync(join(at, key), value);
      const config = JSON.parse((mounted.get(fileNames.frpc) ?? '').replaceAll(/\/etc\/knudge\/\w+/g, at)) as Config;
      Object.assign(config, { serverAddr: '127.0.0.1', serverPort: bind, ...outsideOfPod });
      for (const proxy of config.proxies) if (proxy['localPort'] === podLayout.ingressPort) proxy['localPort'] = web;
      return file(`${name}.json`, JSON.stringify({ ...config, ...forge(config) }));
    },
    login: (config) => start(context, tools.frpc, ['-c', config]),
    deleteIdentity: async () => {
      cluster.remove({ apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'frp-web-identity' });
      await reconcileOn(cluster, refOf(service), { now: now() });
    },
    write: async (one) => {
      cluster.put(one);
      await reconcileOn(cluster, refOf(one), { now: now() });
    },
    deleteService: async () => {
      cluster.remove(refOf(service));
      for (let turn = 0; turn < 4; turn += 1) {
        await reconcileOn(cluster, refOf(service), { now: now() });
        cluster.collectGarbage();
      }
    },
    closeGate: () => closeServer(app),
    openGate: () => listen(app, gate),
  };
}

const keys = [fileNames.frpc, fileNames.serverAuthority, fileNames.token, fileNames.certificate, fileNames.key];

function profile(heartbeat: number | undefined): KubeObject {
  return object('ConfigMap', 'frps', {
    metadata: { namespace: 'knudge', labels: { 'frp.io/server-profile': 'default' } },
    data: {
      address: serverName,
      'ca.crt': serverAuthority.certificate,
      ...(heartbeat !== undefined && { heartbeatInterval: String(heartbeat) }),
    },
  });
}

/** A value of the service's namespace or, for the authority, of the controller's; empty where there is none. */
async function text(
  cluster: MemoryCluster,
  { kind, name, key }: { readonly kind: string; readonly name: string; readonly key: string },
): Promise<string> {
  const namespace = name === 'frp-default-ca' ? 'knudge' : 'shop';
  const found = (await cluster.get({ apiVersion: 'v1', kind, namespace, name })) as { data?: Record<string, string> };
  const value = found?.data?.[key] ?? '';
  return kind === 'Secret' ? Buffer.from(value, 'base64').toString() : value;
}

/** frps with the configuration of deploy/frps-mutual-tls, but for places and ports. */
async function startFrps(
  context: TestContext,
  file: (name: string, text: string) => string,
  at: { readonly bind: number; readonly http: number; readonly gate: number; readonly clients: string },
): Promise<Running> {
  const names = { commonName: 'frps', dnsNames: [serverName], usage: 'server' } as const;
  const leaf = await issuer.leaf({ ...names, authority: serverAuthority, ...life });
  const places: Readonly<Record<string, string>> = {
    '/etc/frps/tls/tls.crt': file('server.crt', leaf.certificate),
    '/etc/frps/tls/tls.key': file('server.key', leaf.key),
    '/run/frps/ca.crt': file('clients.crt', at.clients),
    'http://frp-gate.knudge.svc.cluster.local': `http://127.0.0.1:${String(at.gate)}`,
  };
  const deployed = readFileSync(join(root, 'deploy/frps-mutual-tls/frps.json'), 'utf8');
  const placed = Object.entries(places).reduce((config, [from, to]) => config.replace(from, to), deployed);
  const config = {
    ...(JSON.parse(placed) as object),
    ...{ bindAddr: '127.0.0.1', proxyBindAddr: '127.0.0.1', bindPort: at.bind, vhostHTTPPort: at.http },
    ...{ allowPorts: [], webServer: { addr: '127.0.0.1', port: await freePort() } },
  };
  const frps = start(context, tools.frps, ['-c', file('frps.json', JSON.stringify(config))]);
  await until('frps listens', () => frps.said().includes('frps started successfully'), [frps]);
  return frps;
}

async function answerHello(context: TestContext, port: number): Promise<void> {
  const server = createServer((_, answer) => answer.end('hello'));
  await listen(server, port);
  context.after(() => closeServer(server));
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
