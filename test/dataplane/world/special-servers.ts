import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2, type Http2Session } from 'node:http2';
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';

/** Where a backend listens. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

type Context = Pick<TestContext, 'after'>;

const block = randomBytes(1024 * 1024);

/** This many MiB, no two blocks alike. */
function* blocks(mebibytes: number): Generator<Buffer> {
  for (let count = 0; count < mebibytes; count += 1) {
    const one = Buffer.from(block);
    one.writeUInt32BE(count);
    yield one;
  }
}

/** A stream of this many MiB, and the hash of all of it. */
export function stream(mebibytes: number): Readable {
  return Readable.from(blocks(mebibytes), { objectMode: false, highWaterMark: 1024 * 1024 });
}

export function hashOfStream(mebibytes: number): string {
  const hash = createHash('sha256');
  for (const one of blocks(mebibytes)) hash.update(one);
  return hash.digest('hex');
}

/** Gives a stream of as many MiB as the path says; a WebSocket gets back what it sends. */
export async function startStreams(context: Context, place: Place): Promise<void> {
  const server = createHttp((request, response) => void stream(Number(request.url?.slice(1))).pipe(response));
  server.on('upgrade', (request, socket: Socket) => {
    const key = `${String(request.headers['sec-websocket-key'])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.on('error', () => socket.destroy());
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
    socket.pipe(socket);
  });
  await listen(context, server, place);
}

/** Reads this many bytes, and answers with their hash. */
export async function startHasher(context: Context, place: Place, bytes: number): Promise<void> {
  const server = createTcp((socket) => {
    const hash = createHash('sha256');
    let left = bytes;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      left -= chunk.length;
      if (left <= 0) socket.end(hash.digest('hex'));
    });
  });
  await listen(context, server, place);
}

/** As a gRPC server answers: a message, and the status in the trailers. */
export async function startGrpc(context: Context, place: Place): Promise<void> {
  const server = createHttp2();
  const sessions = new Set<Http2Session>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (one) => {
    one.on('error', () => one.destroy());
    one.on('wantTrailers', () => one.sendTrailers({ 'grpc-status': '0', 'grpc-message': 'fine' }));
    one.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    one.resume().on('end', () => one.end('message'));
  });
  server.listen(place.port, place.address);
  await once(server, 'listening');
  context.after(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
}

async function listen(context: Context, server: Server, { address, port }: Place): Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(port, address);
  await once(server, 'listening');
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}
