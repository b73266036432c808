import type { RequestOptions } from 'node:https';
import { request as httpsRequest } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Call {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  /** `application/json` if absent. */
  readonly contentType?: string;
  /** Who asks, instead of the test's administrator. */
  readonly as?: Impersonated;
}

export interface Impersonated {
  readonly user: string;
  readonly groups: readonly string[];
}

/** One request to the API server; refusals are answers, only a broken connection or 30 s of silence throws. */
type Request = (method: string, path: string, call?: Call) => Promise<Answer>;

/** The kubeconfig of the API server that tests may use, from KNUDGE_TEST_KUBECONFIG; throws without it. */
export function testKubeconfig(): string {
  const path = process.env['KNUDGE_TEST_KUBECONFIG'];
  if (path === undefined || path === '') {
    throw new Error('KNUDGE_TEST_KUBECONFIG is not set: this test needs a real API server, so use `npm run test:kube`');
  }
  return path;
}

/** Plain requests to the current cluster of a kubeconfig file. */
export function apiFrom(kubeconfig: string): Request {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error(`${kubeconfig} has no current cluster: set its current-context`);
  return async (method, path, { body, query = {}, contentType = 'application/json', as } = {}) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    // Node.js gives a DELETE no length of its own, and the API server then sees no body.
    const headers = {
      accept: 'application/json',
      'content-type': contentType,
      'content-length': Buffer.byteLength(text),
      ...(as && { 'impersonate-user': as.user, 'impersonate-group': [...as.groups] }),
    };
    const options: RequestOptions = { method, headers };
    await config.applyToHTTPSOptions(options);
    const url = new URL(`${path}?${new URLSearchParams(query)}`, server);
    return send(url, { ...options, timeout: 30_000 }, text);
  };
}

function send(url: URL, options: RequestOptions, body: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = httpsRequest(url, options, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const isJson = response.headers['content-type']?.includes('json') === true;
      resolve({ status: response.statusCode ?? 0, body: isJson ? (JSON.parse(text) as unknown) : text });
    });
  });
  sent.on('timeout', () => sent.destroy(new Error(`no answer from ${url.href} for 30 s`)));
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
