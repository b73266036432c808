import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { freePort, untilListening } from '../../packages/image/cache/listening.ts';
import { accountOf } from '../build/accounts.ts';
import type { Arena } from '../kube/arena.ts';
import { type Container, startContainer, writable } from './container.ts';
import type { RecordedRequest } from './recorded-for.ts';

export interface Place {
  readonly arena: Arena;
  /** For what is mounted. */
  readonly folder: string;
  /** The folder with the image's files. */
  readonly root: string;
  /** The ServiceAccount of the process; without one, that of Knudge's own manifest. */
  readonly account?: { readonly namespace: string; readonly name: string };
}

const mountPoint = '/var/run/secrets/kubernetes.io/serviceaccount';

/** What a kubelet mounts for a ServiceAccount, and the variables that go with it. */
async function accessOf(service: string, { arena, folder, account }: Place) {
  const { namespace, name } = account ?? { namespace: 'knudge', name: accountOf(service) };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const { body } = await arena.api('POST', path, { body: request });
  const config = new KubeConfig();
  config.loadFromFile(arena.kubeconfig);
  const { server = '', caData = '', caFile } = config.getCurrentCluster() ?? {};
  const mount = join(folder, `${service}-account`);
  mkdirSync(mount, { recursive: true });
  writeFileSync(join(mount, 'token'), (body as { status: { token: string } }).status.token);
  writeFileSync(join(mount, 'ca.crt'), caFile === undefined ? Buffer.from(caData, 'base64') : readFileSync(caFile));
  const { hostname, port } = new URL(server);
  return { mount, env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port } };
}

/** Runs a function as its manifest would, and gives what it does while it lives. */
export async function withFunction<Result>(
  service: string,
  place: Place,
  use: (port: number, container: Container) => Promise<Result>,
): Promise<{ readonly result: Result; readonly complaints: string; readonly code: unknown }> {
  const { mount, env } = await accessOf(service, place);
  const port = await freePort();
  const data = join(place.folder, `${service}-data`);
  mkdirSync(data, { recursive: true });
  chmodSync(data, 0o777);
  const container = startContainer({
    root: place.root,
    env: { ...env, K_SERVICE: service, PORT: String(port), K_SINK: 'http://127.0.0.1:9/', TUNNEL_TIMEOUT_MS: '0' },
    mounts: { [mountPoint]: mount, [writable]: data },
  });
  const exited = once(container.process, 'exit');
  try {
    await untilListening(port);
    const result = await use(port, container);
    container.process.kill('SIGTERM');
    const [code] = (await exited) as readonly unknown[];
    return { result, code, complaints: await container.complaints };
  } catch (error) {
    container.process.kill('SIGKILL');
    throw new Error(`${service} wrote: ${await container.complaints}`, { cause: error });
  }
}

export async function post(port: number, { path, headers, body }: RecordedRequest): Promise<Response> {
  const url = `http://127.0.0.1:${String(port)}${path}`;
  return fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal: AbortSignal.timeout(30_000) });
}
