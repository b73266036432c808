import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Answer, CloudEvent } from '../cloud-event.ts';
import { encodeHeaderValue } from './header-value.ts';

/** Idle connections do not keep the process alive. */
const kept = { keepAlive: true, maxFreeSockets: 256, scheduling: 'lifo' } as const;
const httpAgent = new HttpAgent(kept);
const httpsAgent = new HttpsAgent(kept);

/**
 * Posts an event in binary mode and waits for the whole answer, `timeoutMs` at most (without a limit if absent).
 * Follows no redirects. Never rejects; the reason for a missing answer is in the words of Go's client, which a dead
 * letter carries.
 */
export function postEvent(url: string, event: CloudEvent, timeoutMs?: number): Promise<Answer> {
  return postOver(url, event, timeoutMs === undefined ? {} : { timeoutMs });
}

export interface Way {
  readonly timeoutMs?: number;
  /** The agent with the connections; if absent, the shared one. */
  readonly agent?: HttpAgent;
}

/** The same with a given agent. */
export async function postOver(url: string, event: CloudEvent, way: Way): Promise<Answer> {
  try {
    return await post(new URL(url), event, way);
  } catch (thrown) {
    // Node refuses to send it: the protocol or a header is not valid.
    return { kind: 'failed', why: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function post(url: URL, event: CloudEvent, { timeoutMs, agent = httpAgent }: Way): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const secure = url.protocol === 'https:';
  const options = { method: 'POST', agent: secure ? httpsAgent : agent, headers: headersOf(event) };
  const request = secure ? httpsRequest(url, options) : httpRequest(url, options);
  let timer: NodeJS.Timeout | undefined;
  const end = (answer: Answer): void => {
    clearTimeout(timer);
    resolve(answer);
  };
  if (timeoutMs !== undefined) {
    timer = setTimeout(() => {
      end({ kind: 'failed', why: 'context deadline exceeded' });
      request.destroy();
    }, timeoutMs);
  }
  request.on('error', (error: NodeJS.ErrnoException) => end({ kind: 'failed', why: wordsOf(error, url) }));
  request.on('response', (response) => collect(response, end));
  request.end(event.data);
  return promise;
}

function headersOf({ attributes, contentType, headers }: CloudEvent): Record<string, string> {
  const all: Record<string, string> = { ...headers };
  if (contentType !== undefined) all['content-type'] = contentType;
  for (const name in attributes) all[`ce-${name}`] = encodeHeaderValue(attributes[name] ?? '');
  return all;
}

function collect(response: IncomingMessage, end: (answer: Answer) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', () => end({ kind: 'failed', why: 'unexpected EOF' }));
  response.on('end', () => {
    const [only] = chunks;
    const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    end({ kind: 'answered', status: response.statusCode ?? 0, headers: plain(response), body });
  });
}

function plain({ headers }: IncomingMessage): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) all[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return all;
}

function wordsOf(error: NodeJS.ErrnoException, { hostname, port, protocol }: URL): string {
  const address = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  switch (error.code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'ECONNRESET':
      return error.message === 'socket hang up' ? 'EOF' : 'read: connection reset by peer';
    default:
      return error.message;
  }
}
