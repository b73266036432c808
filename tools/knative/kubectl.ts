import { spawn } from 'node:child_process';
import { ClusterError } from '../control-plane/errors.ts';

/** Runs kubectl against one cluster. Returns its output; throws ClusterError with its complaint if it fails. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

const longestMs = 180_000;

/** kubectl for the cluster of this kubeconfig; undefined if none is needed, as for `kustomize`. */
export function kubectlFor(kubeconfig: string | undefined): Kubectl {
  const env = { ...process.env, ...(kubeconfig !== undefined && { KUBECONFIG: kubeconfig }) };
  return (args, input = '') =>
    new Promise((done, failed) => {
      const child = spawn('kubectl', args, { env, stdio: 'pipe', timeout: longestMs });
      const said = { out: '', error: '' };
      child.stdout.on('data', (chunk) => (said.out += String(chunk)));
      child.stderr.on('data', (chunk) => (said.error += String(chunk)));
      child.once('error', (error) => failed(new ClusterError(`kubectl does not start: ${error.message}.`)));
      child.once('close', (code) => {
        if (code === 0) return done(said.out);
        failed(new ClusterError(`kubectl ${args.join(' ')} failed: ${said.error.trim() || `exit code ${code}`}`));
      });
      // A kubectl that ended early has printed why.
      child.stdin.on('error', () => undefined).end(input);
    });
}
