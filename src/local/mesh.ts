import { join } from 'node:path';
import { KnudgeError } from '../domain/errors.ts';
import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';
import { timeOf } from '../domain/time.ts';
import type { Access } from '../kube/access.ts';
import type { Embedded } from './cluster/embedded.ts';
import { useExisting } from './cluster/existing.ts';
import { readManifests } from './manifests/read-manifests.ts';
import type { Closers, MeshOptions, MeshParts } from './mesh-parts.ts';
import type { MeshSpec } from './mesh-spec.ts';
import { portProblem, portsFrom } from './ports.ts';
import { readyStatuses } from './ready-statuses.ts';
import { refuseUnrunnable } from './refuse-unrunnable.ts';
import { forgetRound } from './round-before.ts';
import { startDelivery } from './start-delivery.ts';
import { announceExisting, startSources } from './start-sources.ts';
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
    const cluster = await startCluster(parts);
    const { places, deliver } = await startDelivery(parts, cluster.env);
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

interface ClusterOfMesh {
  readonly access: Access;
  readonly kubeconfig: string;
  /** How a function finds it. */
  readonly env: Readonly<Record<string, string>>;
  readonly apply?: (objects: readonly KubeObject[]) => Promise<void>;
  readonly tell?: (ref: ObjectRef, status: Readonly<Record<string, unknown>>) => Promise<void>;
}

function now(): string {
  return timeOf(Date.now() / 1000);
}

async function startCluster({
  kubeconfig,
  dir,
  dataDir,
  spec,
  nextPort,
  version,
  closers,
}: MeshParts): Promise<ClusterOfMesh> {
  if (kubeconfig !== undefined) {
    nextPort();
    const access = await useExisting(kubeconfig, { objects: spec.objects, version });
    return { access, kubeconfig, env: { KUBECONFIG: kubeconfig } };
  }
  const file = join(dir, 'kubeconfig');
  // A whole API server: loaded only where it runs.
  const { startEmbedded } = await import('./cluster/embedded.ts');
  const embedded = await startEmbedded({
    port: nextPort(),
    kubeconfig: file,
    version,
    ...(dataDir !== undefined && { dataDir }),
  });
  closers.push(embedded.close);
  await applyManifests(spec, embedded.apply);
  // Without loading a Kubernetes client, as a kubeconfig would.
  const way = { API_SERVER_URL: embedded.url, API_SERVER_TOKEN: embedded.token };
  // Its Pods have addresses that nobody answers at.
  const env = { ...way, TUNNEL_TIMEOUT_MS: '0' };
  return { access: embedded.access, kubeconfig: file, env, apply: embedded.apply, tell: embedded.tell };
}

/** Kinds that surround the functions, which the embedded API does not know. */
const ofClusters = ['PersistentVolumeClaim', 'NetworkPolicy', 'PodMonitor', 'PrometheusRule', 'EventPolicy'];

/** What the API server refuses has a file and a line. */
async function applyManifests({ objects, placeOf }: MeshSpec, apply: Embedded['apply']): Promise<void> {
  for (const object of objects.filter(({ kind }) => !ofClusters.includes(kind))) {
    await apply([object]).catch((error: unknown) => {
      const { message } = error as Error;
      throw new KnudgeError('misuse', `${placeOf(object, message)}: ${message}`, { cause: error });
    });
  }
}
