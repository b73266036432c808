import { Agent, type RequestOptions, request } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import type { apiFrom } from '../../kube/api.ts';

/** The same as `apiFrom`, over a few connections that stay: thousands of requests would spend their time on handshakes. */
export async function keptAlive(kubeconfig: string, connections: number): Promise<ReturnType<typeof apiFrom>> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error(`${kubeconfig} has no current cluster`);
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const {
    headers: own = {},
    agent: _,
    ...credentials
  } = options as RequestOptions & { headers?: Record<string, string> };
  const agent = new Agent({ ...(credentials as object), keepAlive: true, maxSockets: connections });
  return async (method, path, { body, query = {}, contentType = 'application/json' } = {}) => {
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
    const sent = request(
      new URL(`${path}?${new URLSearchParams(query)}`, server),
      {
        method,
        agent,
        timeout: 30_000,
        headers: {
          ...own,
          accept: 'application/json',
          'content-type': contentType,
          'content-length': Buffer.byteLength(text),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const said = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.includes('json') === true;
          resolve({ status: response.statusCode ?? 0, body: isJson ? (JSON.parse(said) as unknown) : said });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path} for 30 s`)));
    sent.on('error', reject);
    sent.end(text);
    return promise;
  };
}
