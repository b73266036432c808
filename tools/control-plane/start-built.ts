import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Programs } from './build.ts';
import { ClusterError } from './errors.ts';
import type { Launch } from './launch.ts';
import { launch, stages } from './launch.ts';

const kubeconfigTimeoutMs = 30_000;

/** Starts the one process that is the whole control plane; returns when its kubeconfig is there. Throws ClusterError. */
export async function startBuilt(
  programs: Programs,
  options: Launch & { node: boolean; exitWithParent: boolean; checkAlive: () => void },
): Promise<void> {
  const { dir, port, audit, apiserverArgs, node, exitWithParent, checkAlive } = options;
  const args = ['all', `--dir=${dir}`, `--port=${port}`];
  args.push(...(node ? kubeletArgs(dir) : [`--kwok=${programs.kwok}`, `--kwok-config=${stages}`]));
  if (audit !== undefined) args.push(`--audit-log=${join(dir, 'audit.log')}`, `--audit-level=${audit}`);
  if (exitWithParent) args.push('--exit-with-parent');
  args.push(...apiserverArgs.map((arg) => `--apiserver-arg=${arg}`));
  await launch(programs.kubestack, args, options);
  for (const deadline = Date.now() + kubeconfigTimeoutMs; !existsSync(join(dir, 'kubeconfig')); await sleep(20)) {
    checkAlive();
    if (Date.now() > deadline)
      throw new ClusterError(`kubestack wrote no kubeconfig within ${kubeconfigTimeoutMs / 1000} seconds.`);
  }
}

// The credentials and the address with which the API server asks a kubelet for logs.
function kubeletArgs(dir: string): string[] {
  const [certificate, key] = [join(dir, 'pki/server.crt'), join(dir, 'pki/server.key')];
  return [
    `--kubelet-client-certificate=${certificate}`,
    `--kubelet-client-key=${key}`,
    '--kubelet-preferred-address-types=InternalIP',
    // The address at which Pods can check tokens; by default the API server names its own, which is loopback.
    '--service-account-jwks-uri=https://kubernetes.default.svc.cluster.local/openid/v1/jwks',
  ].map((arg) => `--apiserver-arg=${arg}`);
}
