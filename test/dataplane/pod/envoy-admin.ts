import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { podLayout } from '../../../resources/distributed-service/envoy/data-plane.ts';
import type { RunningPod } from './running-pod.ts';

/** Asks over an abstract socket, which is there only in the network namespace of the Pod. */
const script = `
const [socket, path] = process.argv.slice(1);
require('node:http').get({ socketPath: '\\0' + socket, path }, (answer) => answer.pipe(process.stdout));
`;

/** The answer of Envoy's admin interface to a GET of this path. */
async function askEnvoy({ network }: Pick<RunningPod, 'network'>, path: string): Promise<string> {
  const args = [`--net=${network}`, process.execPath, '-e', script, podLayout.adminSocket, path];
  const { stdout } = await promisify(execFile)('nsenter', args, { timeout: 10_000, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/** The version of the endpoints that Envoy uses. */
export async function liveVersion(pod: Pick<RunningPod, 'network'>): Promise<string> {
  const text = await askEnvoy(pod, '/stats?filter=^cluster\\.upstream\\.version_text$');
  return /version_text: "(.*)"/.exec(text)?.[1] ?? '';
}

/** How many requests, or tcp connections, Envoy counts at all backends: what least-conn goes by. */
export async function requestsActive(pod: Pick<RunningPod, 'network'>): Promise<number> {
  const text = await askEnvoy(pod, '/stats?filter=^cluster\\.upstream\\.upstream_rq_active$');
  return Number(/upstream_rq_active: (\d+)/.exec(text)?.[1] ?? Number.NaN);
}
