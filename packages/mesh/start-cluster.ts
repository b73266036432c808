import { join } from 'node:path';
import type { Access } from '../controller/cluster/access.ts';
import { KnudgeError } from '../controller/domain/errors.ts';
import type { KubeObject, ObjectRef } from '../controller/domain/kube-object.ts';

import { useExisting } from './cluster/existing.ts';
import type { MeshParts } from './mesh-parts.ts';
import type { MeshSpec } from './mesh-spec.ts';

export interface ClusterOfMesh {
  readonly access: Access;
  readonly kubeconfig: string;
  /** How a function finds it. */
  readonly env: Readonly<Record<string, string>>;
  readonly apply?: (objects: readonly KubeObject[]) => Promise<void>;
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
  // A whole API server: loaded only where it runs.
  const { startEmbedded } = await import('./cluster/embedded.ts');
  const embedded = await startEmbedded({ port, kubeconfig: file, version, ...(dataDir !== undefined && { dataDir }) });
  closers.push(embedded.close);
  // Without loading a Kubernetes client, as a kubeconfig would.
  const way = { API_SERVER_URL: embedded.url, API_SERVER_TOKEN: embedded.token };
  // Its Pods have addresses that nobody answers at.
  const env = { ...way, TUNNEL_TIMEOUT_MS: '0' };
  return { access: embedded.access, kubeconfig: file, env, apply: embedded.apply, tell: embedded.tell };
}

/** Kinds that surround the functions, which the embedded API does not know. */
const ofClusters = ['PersistentVolumeClaim', 'NetworkPolicy', 'PodMonitor', 'PrometheusRule', 'EventPolicy'];

/** What the API server refuses has a file and a line. A cluster that somebody has is not written to. */
export async function applyManifests({ objects, placeOf }: MeshSpec, { apply }: ClusterOfMesh): Promise<void> {
  for (const object of objects.filter(({ kind }) => !ofClusters.includes(kind))) {
    await apply?.([object]).catch((error: unknown) => {
      const { message } = error as Error;
      throw new KnudgeError('misuse', `${placeOf(object, message)}: ${message}`, { cause: error });
    });
  }
}
