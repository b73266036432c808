import { get } from 'node:https';
import { json } from 'node:stream/consumers';
import { KubeConfig } from '@kubernetes/client-node';

type Read = (path: string, accept?: string) => Promise<unknown>;

/** Reads JSON from the API server of a kubeconfig; rejects if it answers with anything but 200. */
export function readerOf(kubeconfig: string): Read {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error(`${kubeconfig} has no current cluster`);
  return async (path, accept = 'application/json') => {
    const options = { headers: { accept }, timeout: 30_000 };
    await config.applyToHTTPSOptions(options);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const sent = get(new URL(path, server), options, (response) => {
      if (response.statusCode === 200) resolve(json(response));
      else reject(new Error(`${path} answered ${response.statusCode}`));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer from ${path}`)));
    sent.on('error', reject);
    return promise;
  };
}
