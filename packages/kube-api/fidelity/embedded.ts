import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCredentials, kubeconfigOf } from '../../mesh/cluster/credentials.ts';
import { createApi } from '../api.ts';
import { startControllers } from '../controllers/start.ts';
import { serveApi } from '../http/server.ts';
import { type Server, serverOf } from './server.ts';

/** How many changes it remembers: more than the cases make while one of them waits. */
const historySize = 2_000;

/** The embedded API with its controllers, on a free port. */
export async function startEmbedded(): Promise<{ server: Server; close: () => Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'fidelity-embedded-'));
  const api = createApi({ historySize });
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const stop = startControllers({ client: api.client, now, schedule: setImmediate });
  grow(api.client);
  const credentials = await createCredentials();
  const served = await serveApi(api, { port: 0, ...credentials });
  const kubeconfig = join(dir, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(served.url, credentials));
  const server = serverOf('embedded', kubeconfig);
  const close = async () => {
    server.agent.destroy();
    stop();
    await served.close();
    api.close();
    for (const folder of [server.home, dir]) rmSync(folder, { recursive: true, force: true });
  };
  return { server, close };
}

/** Old changes are forgotten, as on a server that has run for a while. */
function grow(client: ReturnType<typeof createApi>['client']): void {
  const metadata = { name: 'count', namespace: 'default' };
  client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  for (let count = 0; count <= historySize; count += 1) {
    const data = { count: String(count) };
    client.update({ ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata }, ...{ data } });
  }
}
