import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kubectl } from '../kube/kubectl.ts';
import { fencesOf } from './fences.ts';
import { home, type Site } from './site.ts';

const run = promisify(execFile);

/** Where clients of an FRP server in the cluster come to. */
export interface FrpServer {
  readonly host: string;
  readonly port: number;
  remove(): Promise<void>;
}

/** Installs deploy/frps by the words of its README, in a copy of the folder, so that nothing is left in this one. */
export async function installFrpServer({ kubeconfig, api }: Site): Promise<FrpServer> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-frps-'));
  cpSync('deploy', join(folder, 'deploy'), { recursive: true });
  const [commands = ''] = fencesOf('deploy/frps/README.md', 'bash');
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  await run('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder, env });
  await kubectl('--namespace', home, 'rollout', 'status', 'deployment/frps', '--timeout=60s');
  const { body } = await api('GET', `/api/v1/namespaces/${home}/services/frps-public`);
  const { clusterIP, ports: open } = (body as { spec: { clusterIP: string; ports: { name: string; port: number }[] } })
    .spec;
  const remove = async (): Promise<void> => {
    await kubectl('delete', '--ignore-not-found', '-k', join(folder, 'deploy/frps'));
    rmSync(folder, { recursive: true });
  };
  return { host: clusterIP, port: open.find(({ name }) => name === 'http')?.port ?? 0, remove };
}
