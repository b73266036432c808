import { ClusterError } from '../errors.ts';
import { builtKubenode } from './build.ts';
import { checkFree } from './claim.ts';
import { installPackages } from './packages.ts';
import { whyNoNode } from './why-not.ts';

/**
 * Installs and builds what a real node needs, with progress on `log`, and gives the program with kubelet and kube-proxy.
 * Throws
 * ClusterError with the sentence of `whyNoNode` where there can be none, and where another cluster has it.
 */
export async function prepareNode(dir: string, log: (line: string) => void): Promise<string> {
  check();
  checkFree(dir);
  await installPackages(log);
  check();
  return builtKubenode(log);
}

function check(): void {
  const why = whyNoNode();
  if (why !== undefined) throw new ClusterError(why);
}
