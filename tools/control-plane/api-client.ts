import http from 'node:http';
import https from 'node:https';
import { ClusterError } from './errors.ts';

export type Answer = { status: number; body: unknown };

/** One call to an API server, as the current user of a kubeconfig. Rejects if there is no answer within 5 seconds. */
export type ApiClient = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>;

const callTimeoutMs = 5_000;

/** A client for the current context of this kubeconfig. Throws ClusterError if the file has none. */
export async function apiClient(kubeconfig: string): Promise<ApiClient> {
  // Loaded here because it takes seconds, in which a cluster that was just started can go on starting.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    config.loadFromFile(kubeconfig);
  } catch (error) {
    throw new ClusterError(`The kubeconfig ${kubeconfig} cannot be read (${(error as Error).message}).`);
  }
  const server = config.getCurrentCluster()?.server;
  if (server === undefined)
    throw new ClusterError(`The kubeconfig ${kubeconfig} has no current context with a cluster.`);
  return async (method, path, body) => {
    const options: https.RequestOptions = { method, signal: AbortSignal.timeout(callTimeoutMs) };
    await config.applyToHTTPSOptions(options);
    options.headers = { ...options.headers, accept: 'application/json', 'content-type': 'application/json' };
    return call(new URL(`${server.replace(/\/$/, '')}${path}`), options, body);
  };
}

function call(url: URL, options: https.RequestOptions, body?: object): Promise<Answer> {
  const { request } = url.protocol === 'http:' ? http : https;
  return new Promise((answered, failed) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => {
        answered({ status: response.statusCode ?? 0, body: decoded(Buffer.concat(chunks).toString()) });
      });
    });
    sent.on('error', failed);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

// /readyz answers with plain text.
function decoded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
