import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { startCluster } from '../../../tools/control-plane/cluster-api.ts';
import { type Server, send, serverOf, textOf } from './server.ts';

/** A real control plane of its own, or the one of KNUDGE_CLUSTER_KUBECONFIG. */
export async function startReal(): Promise<{ server: Server; close: () => Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'fidelity-cluster-'));
  const { kubeconfig, stop } = await startCluster({ dir, log: (line) => process.stderr.write(`${line}\n`) });
  const server = serverOf('real', kubeconfig);
  await defineKnative(server);
  const close = async () => {
    server.agent.destroy();
    await stop();
    for (const folder of [server.home, dir]) rmSync(folder, { recursive: true, force: true });
  };
  return { server, close };
}

/** A real API server learns Knative's kinds from definitions; the embedded one has them. */
async function defineKnative(server: Server): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, 'knative-crds.yaml'), 'utf8');
  const headers = { 'content-type': 'application/json' };
  for (const document of parseAllDocuments(text)) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const body = JSON.stringify(document.toJS());
    const response = await send(server, { method: 'POST', path, headers, body });
    const said = await textOf(response);
    if (![201, 409].includes(response.statusCode ?? 0)) throw new Error(`Knative's kinds cannot be defined: ${said}`);
  }
}
