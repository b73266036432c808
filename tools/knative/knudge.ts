import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { originOf } from '../../packages/image/origin.ts';
import { version } from '../../packages/start/version.ts';
import { loadArchive, tagImage } from '../control-plane/node/load-image.ts';
import { buildImage } from '../image/build.ts';
import { repository } from '../image/config.ts';
import type { Installation } from './install.ts';
import { kubectlFor } from './kubectl.ts';
import { waitForDeployments, waitForReady } from './wait.ts';

const root = join(import.meta.dirname, '../..');

/** The name of the image on the node: Knative asks no registry for a tag of dev.local. */
export const knudgeImage = { name: 'dev.local/knudge', tag: version } as const;

/** Builds the image of all functions and loads it into the node. */
export async function loadKnudge({ dir, log }: Pick<Installation, 'dir' | 'log'>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-built-'));
  try {
    const { archive } = await buildImage(folder, { origin: originOf(root, process.env), log });
    await loadArchive(dir, archive);
    tagImage(dir, `docker.io/${repository}:${version}`, `${knudgeImage.name}:${knudgeImage.tag}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Installs Knudge as docs/install.md says, by a kustomization in the folder of the cluster, and returns when all of it is
 * Ready. Returns the folder of that kustomization. Throws ClusterError if something does not become so.
 */
export async function installKnudge({ dir, kubeconfig, log }: Installation): Promise<string> {
  const kubectl = kubectlFor(kubeconfig);
  const folder = join(dir, 'knudge');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'kustomization.yaml'), kustomization(relative(folder, join(root, 'deploy'))));
  log('Installing Knudge.');
  await kubectl([...patchFeatures, JSON.stringify({ data: features })]);
  await kubectl(['apply', '--kustomize', folder]);
  await waitForReady(kubectl, { namespace: 'knudge', kinds: ready }, log);
  await waitForDeployments(kubectl, ['knudge'], log);
  return folder;
}

const ready = ['services.serving.knative.dev', 'brokers', 'triggers', 'apiserversources', 'pingsources'];
const patchFeatures = ['patch', 'configmap/config-features', '--namespace=knative-serving', '--type=merge', '--patch'];

/** Needed because the event log writes to a volume: docs/install.md. */
const features = {
  'kubernetes.podspec-persistent-volume-claim': 'enabled',
  'kubernetes.podspec-persistent-volume-write': 'enabled',
  'kubernetes.podspec-securitycontext': 'enabled',
  'kubernetes.podspec-affinity': 'enabled',
};

function kustomization(deploy: string): string {
  const { name, tag } = knudgeImage;
  return [
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    `resources: [${JSON.stringify(deploy)}]`,
    `images: [{ name: ${repository}, newName: ${name}, newTag: ${JSON.stringify(tag)} }]`,
    '',
  ].join('\n');
}
