import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Encoded } from '../wire/encode.ts';

export interface Posting {
  readonly url: URL;
  readonly event: { readonly headers: Encoded['headers']; readonly body: string | Buffer };
  readonly agent: Agent;
  /** Milliseconds until the whole answer must be there. */
  readonly timeoutMs: number;
}

/** How one try ended. */
export type Posted =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'broken'; readonly cause: Error };

/** One POST, whose answer is read to its end so that the connection can be used again; never rejects. */
export function post({ url, event, agent, timeoutMs }: Posting): Promise<Posted> {
  const { promise, resolve } = Promise.withResolvers<Posted>();
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { ...event.headers, 'content-length': Buffer.byteLength(event.body) };
  const request = start(url, { method: 'POST', headers, agent });
  const timer = setTimeout(() => end({ kind: 'timed-out' }), timeoutMs);

  function end(posted: Posted): void {
    clearTimeout(timer);
    resolve(posted);
    if (posted.kind !== 'answered') request.destroy();
  }

  request.on('error', (cause) => end({ kind: 'broken', cause }));
  request.on('response', (response: IncomingMessage) => {
    response.on('error', (cause) => end({ kind: 'broken', cause }));
    const retryAfter = response.headers['retry-after'];
    response.on('end', () => {
      end({ kind: 'answered', status: response.statusCode ?? 0, ...(retryAfter !== undefined && { retryAfter }) });
    });
    response.resume();
  });
  request.end(event.body);
  return promise;
}
