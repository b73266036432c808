import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Got {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Subscriber {
  readonly url: string;
  readonly got: Got[];
  /** The ids of the events for a path, in the order in which they came. */
  ids(path?: string): readonly string[];
}

/** An HTTP server on loopback. `answer` may take its time; undefined: it never answers. */
export async function startSubscriber(
  t: TestContext,
  answer: (got: Got, before: number) => Reply | undefined | Promise<Reply | undefined>,
): Promise<Subscriber> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      const before = got.filter(({ path }) => path === one.path).length;
      got.push(one);
      const reply = await answer(one, before);
      if (reply !== undefined) response.writeHead(reply.status, reply.headers).end(reply.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ids = (path = '/') => got.filter((one) => one.path === path).map(({ headers }) => String(headers['ce-id']));
  return { url, got, ids };
}

/** An address at which nobody listens. */
export async function nobody(): Promise<string> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}/`;
}
