import { join } from 'node:path';
import type { Access } from '../controller/cluster/access.ts';
import { KnudgeError } from '../controller/domain/errors.ts';
import type { KubeObject, ObjectRef } from '../controller/domain/kube-object.ts';

import { useExisting } from './cluster/existing.ts';
import type { MeshParts } from './mesh-parts.ts';
import type { MeshSpec } from './mesh-spec.ts';
import { functionsReachPods, nodeOf } from './pods/start-pods.ts';

export interface ClusterOfMesh {
  readonly access: Access;
  readonly kubeconfig: string;
  /** The variables by which a function finds it. */
  readonly env: Readonly<Record<string, string>>;
  readonly apply?: (objects: readonly KubeObject[]) => Promise<void>;
  readonly remove?: (ref: ObjectRef) => Promise<void>;
  readonly tell?: (ref: ObjectRef, status: Readonly<Record<string, unknown>>) => Promise<void>;
}

export async function startCluster(parts: MeshParts): Promise<ClusterOfMesh> {
  const { kubeconfig, dir, version, dataDir, spec, nextPort, closers } = parts;
  const port = nextPort();
  if (kubeconfig !== undefined) {
    const access = await useExisting(kubeconfig, { objects: spec.objects, version });
    return { access, kubeconfig, env: { KUBECONFIG: kubeconfig } };
  }
  const file = join(dir, 'kubeconfig');
  // Imported here because it is a whole API server.
  const { startEmbedded } = await import('./cluster/embedded.ts');
  const data = dataDir !== undefined && { dataDir };
  const embedded = await startEmbedded({ port, kubeconfig: file, version, ...data, ...nodeOf(parts) });
  closers.push(embedded.close);
  // A function then need not load a Kubernetes client, as it must for a kubeconfig.
  const way = { API_SERVER_URL: embedded.url, API_SERVER_TOKEN: embedded.token };
  // Where Pods are simulated, their addresses lead nowhere.
  const env = { ...way, ...(parts.programs ? functionsReachPods(parts) : { TUNNEL_TIMEOUT_MS: '0' }) };
  return {
    access: embedded.access,
    kubeconfig: file,
    env,
    apply: embedded.apply,
    remove: embedded.remove,
    tell: embedded.tell,
  };
}

/** Kinds of other programs that surround the functions in a cluster. The embedded API does not serve them. */
const ofClusters = ['PodMonitor', 'PrometheusRule', 'EventPolicy'];

/** Applies the manifests; a refusal names its file and line. A user's own cluster is not written to. */
export async function applyManifests(
  { objects, placeOf }: Pick<MeshSpec, 'objects' | 'placeOf'>,
  { apply }: ClusterOfMesh,
): Promise<void> {
  for (const object of objects.filter(({ kind }) => !ofClusters.includes(kind))) {
    await apply?.([object]).catch((error: unknown) => {
      const { message } = error as Error;
      throw new KnudgeError('misuse', `${placeOf(object, message)}: ${message}`, { cause: error });
    });
  }
}
