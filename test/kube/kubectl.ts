import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testKubeconfig } from './api.ts';

const run = promisify(execFile);

/** What kubectl prints, as the test's administrator; throws with what it says where it fails. */
export async function kubectl(
  ...args: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return run('kubectl', [`--kubeconfig=${testKubeconfig()}`, ...args], { maxBuffer: 16 * 1024 * 1024 });
}
