import { mkdtempSync, readFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { at } from './case.ts';

/** An API server that cases run on. */
export interface Server {
  readonly name: 'embedded' | 'real';
  readonly url: string;
  /** For kubectl, with a folder of its own for what it caches. */
  readonly kubeconfig: string;
  readonly home: string;
  readonly agent: Agent;
  readonly secure: boolean;
  readonly authorization: { readonly authorization?: string };
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The server of a kubeconfig, which has certificates for TLS or speaks plain HTTP. */
export function serverOf(name: Server['name'], kubeconfig: string): Server {
  const home = mkdtempSync(join(tmpdir(), `fidelity-${name}-`));
  const config: unknown = parse(readFileSync(kubeconfig, 'utf8'));
  const url = String(at(config, 'clusters.0.cluster.server'));
  const secure = url.startsWith('https:');
  const held = (path: string) => contentOf(config, path);
  const agent = secure
    ? new https.Agent({
        keepAlive: true,
        ca: held('clusters.0.cluster.certificate-authority'),
        cert: held('users.0.user.client-certificate'),
        key: held('users.0.user.client-key'),
      })
    : new http.Agent({ keepAlive: true });
  const token = at(config, 'users.0.user.token');
  const authorization = typeof token === 'string' ? { authorization: `Bearer ${token}` } : {};
  return { name, url, kubeconfig, home, agent, secure, authorization };
}

/** Sends one request; gives the answer as it starts, its body still to be read. */
export function send(server: Server, { method, path, headers, body }: Sent): Promise<http.IncomingMessage> {
  const url = new URL(path, server.url);
  // Node sends the body of a DELETE without any length otherwise, and what follows on the connection is lost.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const all = { 'user-agent': 'fidelity/1', ...server.authorization, ...headers, ...length };
  const options = { method, agent: server.agent, headers: all, timeout: 60_000 };
  return new Promise((answered, failed) => {
    const request = (server.secure ? https : http).request(url, options, answered);
    request.on('error', failed);
    request.on('timeout', () => request.destroy(new Error(`${method} ${path} had no answer within 60 s`)));
    request.end(body);
  });
}

export async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** What a kubeconfig holds at a path: in a file, or as base64 beside it. */
function contentOf(config: unknown, path: string): Buffer | undefined {
  const file = at(config, path);
  if (typeof file === 'string') return readFileSync(file);
  const data = at(config, `${path}-data`);
  return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined;
}
