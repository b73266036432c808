import { loadArchive } from '../control-plane/node/load-image.ts';
import type { Built } from './build.ts';
import { type Kubectl, kubectlFor } from './kubectl.ts';
import { type Manifest, manifestsOf } from './manifests.ts';
import { waitForDeployments } from './wait.ts';

export interface Installation {
  /** The folder of the cluster. */
  readonly dir: string;
  readonly kubeconfig: string;
  readonly log: (line: string) => void;
}

/**
 * Installs Knative Eventing and Serving with Kourier, names of Services by CoreDNS and a default StorageClass on a cluster
 * with a real node, and returns when all of it is Available. Throws ClusterError if something does not become so.
 */
export async function installKnative({ images, parts }: Built, { dir, kubeconfig, log }: Installation): Promise<void> {
  const kubectl = kubectlFor(kubeconfig);
  log('Loading the images of Knative.');
  const [manifests] = await Promise.all([allManifests(parts), loadArchive(dir, images)]);
  log('Applying the manifests of Knative.');
  const kinds = manifests.filter(({ kind }) => isFirst.has(kind));
  const late = manifests.filter(({ kind }) => isLate.has(kind));
  const rest = manifests.filter(({ kind }) => !isFirst.has(kind) && !isLate.has(kind));
  await apply(kubectl, kinds);
  // A program that starts without names of Services ends, and is started again after longer and longer waits.
  await apply(kubectl, rest.filter(isOfNames));
  await waitForDeployments(kubectl, ['kube-system'], log);
  await apply(
    kubectl,
    rest.filter((object) => !isOfNames(object)),
  );
  await waitForDeployments(
    kubectl,
    ['knative-serving', 'knative-eventing', 'kourier-system', 'local-path-storage'],
    log,
  );
  // A webhook must be there before these can be made.
  await apply(kubectl, late);
}

const partNames = ['dns', 'volumes', 'serving', 'kourier', 'eventing'];
const isFirst = new Set(['Namespace', 'CustomResourceDefinition']);
const isLate = new Set(['Certificate', 'Image']);
const isOfNames = ({ metadata }: Manifest): boolean => /coredns|kube-dns/.test(metadata.name);

async function allManifests(parts: string): Promise<readonly Manifest[]> {
  return (await Promise.all(partNames.map((part) => manifestsOf(part, parts)))).flat();
}

/** As a list in one request of kubectl. By the server, because the largest CRDs do not fit into an annotation. */
async function apply(kubectl: Kubectl, items: readonly Manifest[]): Promise<void> {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(['apply', '--server-side', '--filename', '-'], list);
}
