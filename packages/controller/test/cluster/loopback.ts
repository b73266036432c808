import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A request as the server got it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string goes as it is, everything else as JSON. */
  readonly body?: unknown;
}

export interface Loopback {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** How many connections were ever opened. */
  connections(): number;
}

/** What the server does with one request: a reply, or whatever it likes with the raw response, giving nothing. */
type Behaviour = (
  seen: Seen,
  response: ServerResponse,
  count: number,
) => Reply | undefined | Promise<Reply | undefined>;

/** An HTTP server on loopback for one test; HTTPS where it has a certificate. */
export async function serve(t: TestContext, behave: Behaviour, tls?: ServerOptions): Promise<Loopback> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const listen = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await bodyOf(request) };
    seen.push(one);
    const reply = await behave(one, response, seen.length);
    if (reply !== undefined) answer(response, reply);
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    listen(request, response).catch((error: unknown) => response.destroy(new Error('behaviour', { cause: error })));
  };
  const server = tls === undefined ? createServer(handle) : createSecureServer(tls, handle);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  t.after(() => close(server, sockets));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  return { url, seen, connections: () => sockets.size };
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = {} }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function close(server: Server, sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) socket.destroy();
  server.close();
}
