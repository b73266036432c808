import { resolve } from 'node:path';
import { apiClient } from './api-client.ts';
import { ClusterError } from './errors.ts';

/** Checks that a cluster which the user named answers, and finds out whether controllers run in it. Throws ClusterError. */
export async function useExisting(file: string): Promise<{ kubeconfig: string; controllers: boolean }> {
  const kubeconfig = resolve(file);
  const call = await apiClient(kubeconfig);
  const { status } = await call('GET', '/version').catch((error: unknown) => {
    throw new ClusterError(`The cluster of KNUDGE_CLUSTER_KUBECONFIG=${file} does not answer (${String(error)}).`);
  });
  if (status !== 200)
    throw new ClusterError(
      `The cluster of KNUDGE_CLUSTER_KUBECONFIG=${file} answers ${status} instead of its version.`,
    );
  const account = await call('GET', '/api/v1/namespaces/default/serviceaccounts/default');
  return { kubeconfig, controllers: account.status === 200 };
}
