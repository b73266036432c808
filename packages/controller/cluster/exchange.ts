import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';

/** A request and its limits. */
export interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly agent: Agent;
  /** Milliseconds until the whole answer must be there. */
  readonly timeout: number;
  /** Bytes: the longest answer that is read. */
  readonly maxBytes: number;
}

/** How one attempt ended. `sent` says whether the server may have seen any of the request. */
export type Ending =
  | { readonly kind: 'answered'; readonly status: number; readonly answer: Answer }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'broken'; readonly sent: boolean; readonly answering: boolean; readonly cause: Error }
  | { readonly kind: 'too-long'; readonly status: number };

export interface Answer {
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  /** The time of the answer by the server's own clock. */
  readonly date?: string | undefined;
  readonly text: string;
}

/** Sends one request over HTTP and reads its answer; follows no redirects; never rejects. */
export function exchange(sending: Sending): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const start = sending.url.protocol === 'http:' ? httpRequest : httpsRequest;
  const { method, headers, agent } = sending;
  const request = start(sending.url, { method, headers, agent });
  const state = { sent: false, answering: false };
  const timer = setTimeout(() => end({ kind: 'timed-out' }), sending.timeout);

  function end(ending: Ending): void {
    clearTimeout(timer);
    resolve(ending);
    if (ending.kind !== 'answered') request.destroy();
  }

  request.on('socket', (socket) => whenConnected(socket, () => (state.sent = true)));
  request.on('error', (cause) => end({ kind: 'broken', ...state, cause }));
  request.on('response', (response) => {
    state.answering = true;
    collect(response, sending.maxBytes, end);
  });
  request.end(sending.body);
  return promise;
}

const connectedSockets = new WeakSet<Socket>();

/** Node.js writes as soon as the connection stands: from then on the server may act. */
function whenConnected(socket: Socket, connected: () => void): void {
  if (connectedSockets.has(socket)) {
    connected();
    return;
  }
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
    connectedSockets.add(socket);
    connected();
  });
}

function collect(response: IncomingMessage, maxBytes: number, end: (ending: Ending) => void): void {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) end({ kind: 'too-long', status });
    else chunks.push(chunk);
  });
  response.on('error', (cause) => end({ kind: 'broken', sent: true, answering: true, cause }));
  response.on('end', () => {
    const { 'content-type': contentType = '', 'retry-after': retryAfter, date } = response.headers;
    const text = Buffer.concat(chunks).toString();
    end({ kind: 'answered', status, answer: { contentType, retryAfter, date, text } });
  });
}
