import type { Access } from './access.ts';
import { inCluster } from './in-cluster.ts';

/** What the environment says about the API server; empty and absent are the same. */
export interface Found {
  /** KUBECONFIG: a file. */
  readonly kubeconfig: string | undefined;
  /** API_SERVER_URL: plain HTTP, which the connections take on loopback only. */
  readonly url: string;
  /** API_SERVER_TOKEN: the token for it; empty: none. */
  readonly token: string;
  /** KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT. */
  readonly host: string | undefined;
  readonly port: string | undefined;
}

/** The settings from the environment and from the checked configuration. */
export function foundIn(
  env: Readonly<Record<string, string | undefined>>,
  { apiServerUrl, apiServerToken }: { readonly apiServerUrl: string; readonly apiServerToken: string },
): Found {
  return {
    kubeconfig: env['KUBECONFIG'],
    url: apiServerUrl,
    token: apiServerToken,
    host: env['KUBERNETES_SERVICE_HOST'],
    port: env['KUBERNETES_SERVICE_PORT'],
  };
}

/**
 * Access to the API server that this process should use: that of KUBECONFIG, else of API_SERVER_URL, else of the cluster
 * it runs in, else of the default kubeconfig. What a person named for this one process goes before what is merely
 * there. Only a kubeconfig loads the Kubernetes client.
 */
export async function findAccess({ kubeconfig, url, token, host, port }: Found): Promise<Access> {
  if (!kubeconfig && url !== '') {
    return { server: url, credentials: async () => (token === '' ? {} : { authorization: `Bearer ${token}` }) };
  }
  if (!kubeconfig && host) return inCluster({ host, port });
  const { outsideCluster } = await import('./outside.ts');
  return outsideCluster();
}
