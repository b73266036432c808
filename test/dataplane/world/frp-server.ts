import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { issuer } from '../../../packages/issuing/issuer.ts';
import type { KeyPair } from '../../../packages/issuing/types.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { installed } from '../../../tools/dataplane/install.ts';
import type { Running } from '../programs.ts';

const tools = await installed();

export const serverName = 'frps.example';
export const ports = { bind: 7000, http: 80, tcp: 7001, udp: 7002, other: 7003, metrics: 7500 } as const;
const life = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-01-01T00:00:00Z' };
const token = 'the-token-of-this-server';

/** What is other than usual, until the next start. */
interface Otherwise {
  readonly token?: string;
  /** The end of its certificate. */
  readonly notAfter?: string;
  /** The address of a gate, which is asked about logins, proxies and heartbeats: `127.0.0.1:9000`. */
  readonly gate?: string;
}

export interface FrpServer {
  readonly host: string;
  /** What its certificate is signed by. */
  readonly authority: KeyPair;
  /** Starts it, or starts it anew. */
  start(clients?: string, other?: Otherwise): Promise<Running>;
  stop(): Promise<void>;
  said(): string;
  /** The ConfigMap of its profile. */
  profile(name: string, change?: Readonly<Record<string, string>>): KubeObject;
  /** The Secret with its token for the namespace of a service. */
  readonly tokenSecret: KubeObject;
}

/** frps with TLS forced and a token, on an address of its own. */
export async function prepareServer(host: string, folder: string): Promise<FrpServer> {
  const authority = await issuer.authority({ commonName: 'authority of frps', ...life });
  const names = { commonName: serverName, dnsNames: [serverName], usage: 'server' } as const;
  let running: Running | undefined;
  const said: string[] = [];
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const stop = async (): Promise<void> => {
    if (running === undefined) return;
    said.push(running.said());
    const { child } = running;
    running = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  return {
    host,
    authority,
    stop,
    said: () => [...said, running?.said() ?? ''].join('\n'),
    start: async (clients, other = {}) => {
      await stop();
      const leaf = await issuer.leaf({ ...names, authority, ...life, notAfter: other.notAfter ?? life.notAfter });
      const tls = {
        force: true,
        certFile: file('server.crt', leaf.certificate),
        keyFile: file('server.key', leaf.key),
        ...(clients !== undefined && { trustedCaFile: file('clients.crt', clients) }),
      };
      const config = {
        bindAddr: host,
        proxyBindAddr: host,
        bindPort: ports.bind,
        vhostHTTPPort: ports.http,
        subDomainHost: serverName,
        auth: { method: 'token', token: other.token ?? token },
        transport: { tls },
        log: { to: 'console', level: 'info', disablePrintColor: true },
        webServer: { addr: host, port: ports.metrics },
        enablePrometheus: true,
        ...(other.gate !== undefined && {
          httpPlugins: [{ name: 'gate', addr: other.gate, path: '/', ops: ['Login', 'NewProxy', 'Ping'] }],
        }),
      };
      running = launch(file('frps.json', JSON.stringify(config)));
      await listens(running);
      return running;
    },
    profile: (name, change = {}) => configMap(name, { address: host, 'ca.crt': authority.certificate, ...change }),
    tokenSecret: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'shop', name: 'frps-token', labels: { 'frp.io/use': 'true' } },
      data: { token: Buffer.from(token).toString('base64') },
    } as KubeObject,
  };
}

function launch(config: string): Running {
  // A test that is killed leaves nothing running.
  const args = ['--pdeathsig=KILL', tools.frps, '-c', config];
  const child = spawn('setpriv', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-200_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return { child, said: () => output };
}

async function listens({ child, said }: Running): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!said().includes('frps started successfully')) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`frps does not start: ${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function configMap(name: string, change: Readonly<Record<string, string>>): KubeObject {
  const data = {
    port: String(ports.bind),
    serverName,
    gate: 'false',
    tokenSecret: 'frps-token',
    vhostHTTPPort: String(ports.http),
    subDomainHost: serverName,
    ...change,
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name: `profile-${name}`, labels: { [labels.serverProfile]: name } },
    data,
  } as KubeObject;
}
