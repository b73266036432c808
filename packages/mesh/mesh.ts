import type { KubeObject } from '../controller/domain/kube-object.ts';
import { timeOf } from '../controller/domain/time.ts';
import { startConsole } from './console.ts';
import { logFileOf } from './log-file.ts';
import { readManifests } from './manifests/read-manifests.ts';
import type { Closers, MeshOptions, MeshParts } from './mesh-parts.ts';
import { startPodsOf } from './pods/start-pods.ts';
import { portProblem, portsFrom } from './ports.ts';
import { readyStatuses } from './ready-statuses.ts';
import { refuseUnrunnable } from './refuse-unrunnable.ts';
import { forgetRound } from './round-before.ts';
import { applyManifests, startCluster } from './start-cluster.ts';
import { enterFolder, type Folder, type MeshState } from './state.ts';
import { keepStatus } from './status-file.ts';

/** A mesh that runs. */
export interface Mesh {
  /** Where its parts listen. */
  readonly state: MeshState;
  /** Writes objects to the embedded API; absent with a kubeconfig, because nothing is written to such a cluster. */
  readonly apply?: (objects: readonly KubeObject[]) => Promise<void>;
  /** Ends the sources first, then what is under way, then the rest. */
  close(): Promise<void>;
}

/** Starts everything in the manifests. Rejects with a sentence for people, and leaves nothing behind then. */
export async function startMesh(options: MeshOptions): Promise<Mesh> {
  const closers: Closers = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    const spec = readManifests(options);
    refuseUnrunnable(spec, options.env);
    const folder = enter(options.dir, '--dir', closers);
    const { report, deliversBy, close: forgetStatus } = keepStatus(options.dir, options.report);
    closers.push(forgetStatus);
    deliversBy(spec.triggers);
    const { dataDir } = options;
    if (dataDir !== undefined && dataDir !== options.dir) enter(dataDir, '--data', closers);
    const parts: MeshParts = { ...options, report, spec, nextPort: portsFrom(options.firstPort), closers };
    const starting = startCluster(parts);
    // Loaded while the thread of the API starts.
    const loading = Promise.all([import('./start-delivery.ts'), import('./start-sources.ts')]);
    const [cluster, [{ startDelivery, startFunctions }, { announceExisting, startSources }]] = await both(
      starting,
      loading,
    );
    const [, functions] = await both(applyManifests(spec, cluster), startFunctions(parts, cluster.env));
    const { places, deliver } = startDelivery(parts, functions);
    const sources = await startSources(parts, cluster.access, deliver);
    const { urls } = places.functions;
    await startPodsOf(parts, { ...cluster, functions: urls });
    const pages = options.noConsole
      ? undefined
      : await startConsole(parts, urls, (console) => folder.write({ ...state, console }));
    const [broker] = spec.brokers;
    const state: MeshState = {
      kubeconfig: cluster.kubeconfig,
      apiServer: cluster.access.server,
      broker: broker === undefined ? places.ingress : `${places.ingress}/${broker.namespace}/${broker.name}`,
      console: pages?.url() ?? null,
      eventLog: logFileOf(parts),
      functions: Object.fromEntries(urls),
    };
    for (const { ref, status } of readyStatuses(spec.objects, { spec, state, ingress: places.ingress, now: now() })) {
      await cluster.tell?.(ref, status);
    }
    if (cluster.apply && dataDir !== undefined) await forgetRound(spec, { ...cluster, version: options.version });
    // Its address is another one if a page was opened meanwhile.
    folder.write({ ...state, console: pages?.url() ?? null });
    if (options.reload) {
      const { startReload } = await import('./reload/reload.ts');
      const { brokers, functions: processes } = functions;
      const { renew } = processes;
      startReload({ parts, cluster, brokers, sources, state, ingress: places.ingress, renew, deliversBy });
    }
    announceExisting(parts, { deliver, ...(!cluster.apply && { sharedWith: cluster.access }) });
    return { state, ...(cluster.apply && { apply: cluster.apply }), close };
  } catch (error) {
    await close();
    throw portProblem(error);
  }
}

/** Reserves the folder: two meshes in one folder would overwrite each other's files. */
function enter(dir: string, option: string, closers: Closers): Folder {
  const folder = enterFolder(dir, process.pid, option);
  // Also if the process has no time to close anything.
  process.once('exit', folder.leave);
  closers.push(folder.leave, () => void process.off('exit', folder.leave));
  return folder;
}

/** Runs both side by side. A failure is reported only when both have ended, so that nothing starts that is never closed. */
async function both<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

function now(): string {
  return timeOf(Date.now() / 1000);
}
