import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerProblem } from './answer.ts';
import type { Api } from './api.ts';
import { protobuf } from './body.ts';
import { ApiProblem } from './problem.ts';
import type { Answer, AnswerHeaders, ApiRequest, WatchAnswer } from './request.ts';
import { textOf } from './text.ts';

/** Bytes of a body, as the real server has it. */
const bodyLimit = 3 * 1024 * 1024;
/** Bytes that wait for the reader of a watch; who is slower than that has to begin again. */
const watchLimit = 64 * 1024 * 1024;

export interface ApiServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The API over HTTP on this machine's loopback; port 0 means any. */
export function serveApi(api: Api, { port }: { port: number }): Promise<ApiServer> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    read(request)
      .then((body) => api.handle(requestOf(request, body)))
      .catch((thrown: unknown) => answerProblem(thrown))
      .then((answered) => ('watch' in answered ? sendWatch(response, answered) : send(response, answered)))
      .catch(() => response.destroy());
  });
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
      server.closeAllConnections();
    });
  }
}

/** Text; of protobuf one character a byte. */
async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > bodyLimit) throw tooLarge();
    chunks.push(bytes);
  }
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
