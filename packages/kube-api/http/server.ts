import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Api } from '../api.ts';
import { textOf } from '../text.ts';
import { answerProblem } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { protobuf } from './body.ts';
import { eitherWay } from './either-way.ts';
import { ApiProblem } from './problem.ts';
import type { Answer, AnswerHeaders, ApiAnswer, ApiRequest, WatchAnswer } from './request.ts';
import { type Turns, takeTurns } from './turns.ts';

/** Bytes of the largest body, as on the real server. */
const bodyLimit = 3 * 1024 * 1024;
/** Bytes that may wait for the reader of a watch; a slower reader has to begin again. */
const watchLimit = 64 * 1024 * 1024;

/** An API that listens. */
export interface ApiServer {
  /** `http://127.0.0.1:6443`, without a slash at its end. */
  readonly url: string;
  /** Ends every connection, watches too. The API itself stays. */
  readonly close: () => Promise<void>;
}

/** Where an API listens, and what it is shown. */
export interface ApiServerParts {
  /** 0: any. */
  readonly port: number;
  /** The token that a client must send for everything but the health. */
  readonly token: string;
  /** In PEM. Without the two there is no HTTPS. */
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * The API on this machine's loopback, over HTTP and HTTPS at one port: kubectl shows its token over HTTPS only. Rejects where the port
 * is taken.
 */
export function serveApi(api: Api, { port, token, certificate: cert, key }: ApiServerParts): Promise<ApiServer> {
  const turns = takeTurns();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    answer(api, request, { token, turns })
      .catch((thrown: unknown) => answerProblem(thrown))
      .then((answered) => ('watch' in answered ? sendWatch(response, answered) : send(response, answered)))
      .catch(() => response.destroy());
  };
  const kept = { keepAliveTimeout: 60_000 };
  const secure = cert && key ? createSecureServer({ ...kept, cert, key }, onRequest) : undefined;
  const { server, closeAll } = eitherWay(createServer(kept, onRequest), secure);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${address.port}`, close });
    });
  });

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      closeAll();
    });
  }
}

async function answer(
  api: Api,
  request: IncomingMessage,
  { token, turns }: { readonly token: string; readonly turns: Turns },
): Promise<ApiAnswer> {
  const user = authenticate(request, { token, userOf: api.userOf });
  const asked = { ...requestOf(request, await read(request)), user };
  const [, namespace] = /\/namespaces\/([^/]+)/.exec(asked.path) ?? [];
  // A request about no namespace belongs to no tenant and does not wait.
  return namespace === undefined ? api.handle(asked) : turns(namespace, () => api.handle(asked));
}

/** As text; protobuf with one character a byte. */
async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    // Read to its end in any case: what is left unread would stand before the next request of this connection.
    if (size <= bodyLimit) chunks.push(bytes);
  }
  if (size > bodyLimit) throw tooLarge();
  const isBinary = request.headers['content-type']?.startsWith(protobuf) === true;
  return Buffer.concat(chunks).toString(isBinary ? 'latin1' : 'utf8');
}

function tooLarge(): ApiProblem {
  return new ApiProblem(413, 'RequestEntityTooLarge', {
    message: `Request entity too large: limit is ${bodyLimit}`,
  });
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): ApiRequest {
  const mark = url.indexOf('?');
  return {
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers: headers as Record<string, string>,
    body,
  };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const text = typeof body === 'string' ? body : `${textOf(body)}\n`;
  response.writeHead(status, { ...ofNode(headers), 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function ofNode(headers: AnswerHeaders): OutgoingHttpHeaders {
  return headers as OutgoingHttpHeaders;
}

function sendWatch(response: ServerResponse, { headers, watch }: WatchAnswer): void {
  response.writeHead(200, ofNode(headers));
  response.flushHeaders();
  const line = (text: string): void => {
    response.write(text);
    if (response.writableLength > watchLimit) response.destroy();
  };
  const stop = watch(line, () => response.end());
  response.on('close', stop);
}
