import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { ClusterError } from './errors.ts';

export type Assets = {
  etcd: string;
  apiserver: string;
  controllerManager: string | undefined;
  scheduler: string | undefined;
  kwok: string | undefined;
};

/** The programs in a folder such as setup-envtest fills. Throws ClusterError if etcd or kube-apiserver is not there. */
export function findAssets(folder: string): Assets {
  const found = (name: string) => {
    const path = resolve(join(folder, name));
    return isProgram(path) ? path : undefined;
  };
  const [etcd, apiserver] = [found('etcd'), found('kube-apiserver')];
  if (etcd === undefined || apiserver === undefined) {
    const missing = [etcd ?? 'etcd', apiserver ?? 'kube-apiserver'].filter((name) => !name.startsWith('/'));
    throw new ClusterError(
      `KUBEBUILDER_ASSETS=${folder} has no ${missing.join(' and no ')}; unset it to build them, or fill it with setup-envtest.`,
    );
  }
  return {
    etcd,
    apiserver,
    controllerManager: found('kube-controller-manager'),
    scheduler: found('kube-scheduler'),
    kwok: found('kwok'),
  };
}

/** One sentence for each missing program: what does not work without it. */
export function missingAssets({ controllerManager, scheduler, kwok }: Assets): string[] {
  const sentences: string[] = [];
  if (controllerManager === undefined) {
    sentences.push(
      'kube-controller-manager is missing: no Pods from Deployments, no garbage collection, no default ServiceAccounts, no EndpointSlices, and deleted namespaces stay.',
    );
  }
  if (scheduler === undefined) sentences.push('kube-scheduler is missing: Pods get no node and stay Pending.');
  if (kwok === undefined) sentences.push('kwok is missing: there is no node, so Pods never run.');
  return sentences;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
