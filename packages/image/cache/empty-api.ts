import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An API server on this machine that has no object: it answers each read, and stores nothing. */
export async function emptyApi(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const isList = new URL(request.url ?? '', 'http://empty').searchParams.has('limit');
    const lacks = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
    const body = JSON.stringify(isList ? { kind: 'List', apiVersion: 'v1', metadata: {}, items: [] } : lacks);
    request.resume();
    response
      .writeHead(isList ? 200 : 404, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, server };
}
