import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverOf } from '../../../packages/kube-api/fidelity/server.ts';
import { startMesh } from '../../../packages/mesh/mesh.ts';
import { manifestsOf } from './manifests.ts';
import type { Target } from './observe.ts';
import { startReceiver } from './receiver.ts';
import { type Row, scenesOf } from './table.ts';

/** The mesh of `npm start` with these manifests for its own, and no functions. */
export async function startEmbedded(rows: readonly Row[]): Promise<Target> {
  const root = mkdtempSync(join(tmpdir(), 'knudge-cases-'));
  const receiver = await startReceiver('127.0.0.1');
  const namespace = 'cases-of-the-mesh';
  const objects = manifestsOf(rows, { namespace, receiver: receiver.url, nobody: receiver.nobody });
  // The mesh asks its first Broker for a resync: no case looks at that one.
  const unused = { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', metadata: { name: 'unused', namespace } };
  mkdirSync(join(root, 'eventing'));
  // JSON is YAML in which a text stays a text.
  const texts = [unused, ...objects].map((object) => JSON.stringify(object));
  writeFileSync(join(root, 'eventing/cases.yaml'), texts.join('\n---\n'));
  const options = { root, dir: join(root, 'mesh'), firstPort: 0, env: {}, version: '1', report: () => undefined };
  const mesh = await startMesh(options).catch(async (error: unknown) => {
    await receiver.close();
    rmSync(root, { recursive: true, force: true });
    throw error;
  });
  const api = serverOf('embedded', mesh.state.kubeconfig);
  const close = async (): Promise<void> => {
    api.agent.destroy();
    await mesh.close();
    await receiver.close();
    for (const folder of [root, api.home]) rmSync(folder, { recursive: true, force: true });
  };
  return {
    name: 'embedded',
    namespace,
    ingress: new URL(mesh.state.broker).origin,
    api,
    receiver,
    scenes: scenesOf(rows),
    close,
  };
}
