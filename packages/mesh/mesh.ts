import type { KubeObject } from '../controller/domain/kube-object.ts';
import { timeOf } from '../controller/domain/time.ts';
import { readManifests } from './manifests/read-manifests.ts';
import type { Closers, MeshOptions, MeshParts } from './mesh-parts.ts';
import { portProblem, portsFrom } from './ports.ts';
import { readyStatuses } from './ready-statuses.ts';
import { refuseUnrunnable } from './refuse-unrunnable.ts';
import { forgetRound } from './round-before.ts';
import { applyManifests, startCluster } from './start-cluster.ts';
import { enterFolder, type Folder, type MeshState } from './state.ts';

export interface Mesh {
  readonly state: MeshState;
  /** Writes objects to the embedded API; absent with a kubeconfig: nothing is written there. */
  readonly apply?: (objects: readonly KubeObject[]) => Promise<void>;
  /** Sources first, then what is under way, then the rest. */
  close(): Promise<void>;
}

/** Starts everything that the manifests ask for. Rejects with a sentence for people, and leaves nothing behind then. */
export async function startMesh(options: MeshOptions): Promise<Mesh> {
  const closers: Closers = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    const spec = readManifests(options);
    refuseUnrunnable(spec, options.env);
    const folder = enter(options.dir, '--dir', closers);
    const { dataDir } = options;
    if (dataDir !== undefined && dataDir !== options.dir) enter(dataDir, '--data', closers);
    const parts: MeshParts = { ...options, spec, nextPort: portsFrom(options.firstPort), closers };
    const starting = startCluster(parts);
    // Loaded while the thread of the API starts.
    const loading = Promise.all([import('./start-delivery.ts'), import('./start-sources.ts')]);
    const [cluster, [{ startDelivery, startFunctions }, { announceExisting, startSources }]] = await both(
      starting,
      loading,
    );
    const [, functions] = await both(applyManifests(spec, cluster), startFunctions(parts, cluster.env));
    const { places, deliver } = startDelivery(parts, functions);
    await startSources(parts, cluster.access, deliver);
    const [broker] = spec.brokers;
    const state: MeshState = {
      kubeconfig: cluster.kubeconfig,
      apiServer: cluster.access.server,
      broker: broker === undefined ? places.ingress : `${places.ingress}/${broker.namespace}/${broker.name}`,
      console: null,
      functions: Object.fromEntries(places.functions.urls),
    };
    for (const { ref, status } of readyStatuses(spec.objects, { spec, state, ingress: places.ingress, now: now() })) {
      await cluster.tell?.(ref, status);
    }
    if (cluster.apply && dataDir !== undefined) await forgetRound(spec, { ...cluster, version: options.version });
    folder.write(state);
    announceExisting(parts, { deliver, ...(!cluster.apply && { sharedWith: cluster.access }) });
    return { state, ...(cluster.apply && { apply: cluster.apply }), close };
  } catch (error) {
    await close();
    throw portProblem(error);
  }
}

/** Two meshes in one folder would write over each other. */
function enter(dir: string, option: string, closers: Closers): Folder {
  const folder = enterFolder(dir, process.pid, option);
  // Also when the process has no time to close anything.
  process.once('exit', folder.leave);
  closers.push(folder.leave, () => void process.off('exit', folder.leave));
  return folder;
}

/** Side by side. What fails is told when both have ended: nothing goes on starting what nobody closes. */
async function both<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

function now(): string {
  return timeOf(Date.now() / 1000);
}
