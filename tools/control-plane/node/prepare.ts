import { ClusterError } from '../errors.ts';
import { builtKubenode } from './build.ts';
import { checkFree } from './claim.ts';
import { installPackages } from './packages.ts';
import { whyNoNode } from './why-not.ts';

/** Throws ClusterError with the sentence of `whyNoNode` if there can be no node, and if another cluster has it. */
export function checkNode(dir: string): void {
  check();
  checkFree(dir);
}

/**
 * Installs and builds what a real node needs, with progress on `log`; returns the program with kubelet and kube-proxy.
 * Throws ClusterError as `checkNode` does.
 */
export async function prepareNode(dir: string, log: (line: string) => void): Promise<string> {
  checkNode(dir);
  await installPackages(log);
  check();
  return builtKubenode(log);
}

function check(): void {
  const why = whyNoNode();
  if (why !== undefined) throw new ClusterError(why);
}
