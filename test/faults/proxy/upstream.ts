import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { exchange } from '../../../packages/controller/cluster/exchange.ts';
import { outsideCluster } from '../../../packages/controller/cluster/outside.ts';
import type { ApiAnswer } from '../../../packages/controller/testing/calls/spoilt-answer.ts';

export interface ApiRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** One request to a real API server and its answer; rejects where none came. */
export type Upstream = (request: ApiRequest) => Promise<ApiAnswer>;

/** Connections to the API server of a kubeconfig, for any number of proxies. */
export async function openUpstream(
  kubeconfig: string,
): Promise<{ readonly ask: Upstream; readonly server: string; readonly close: () => void }> {
  const { server, credentials } = await outsideCluster({ kubeconfig });
  const { authorization, ca, cert, key, serverName } = await credentials(false);
  const isPlain = server.startsWith('http:');
  const agent = new (isPlain ? HttpAgent : HttpsAgent)({
    keepAlive: true,
    maxSockets: mostSockets,
    maxFreeSockets: mostSockets,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
  });
  const ask: Upstream = async ({ method, path, headers, body }) => {
    const ending = await exchange({
      url: new URL(path, server),
      method,
      headers: {
        accept: 'application/json',
        ...(authorization !== undefined && { authorization }),
        ...headers,
        // Node.js gives a DELETE no length of its own, and the API server then sees no body.
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      body,
      agent,
      timeout: 30_000,
      maxBytes: 64 * 1024 * 1024,
    });
    if (ending.kind !== 'answered') throw new Error(`${method} ${path}: the API server gave no answer: ${ending.kind}`);
    const { contentType, retryAfter, text } = ending.answer;
    const kept: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    return { status: ending.status, contentType, headers: kept, text };
  };
  return { ask, server, close: () => agent.destroy() };
}

/** Many runs at a time share them. */
const mostSockets = 64;
