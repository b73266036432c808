import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { whyNoPods } from './pod/why-not.ts';
import { countsOf } from './statistics.ts';
import { startBackend } from './world/backends.ts';
import { askHttp, keepAlive } from './world/clients.ts';
import { ports } from './world/frp-server.ts';
import { hostOf, manual, type ServiceType, service } from './world/objects.ts';
import { hashOfStream, startGrpc, startHasher, startStreams, stream } from './world/special-servers.ts';
import { type DataPlane, startWorld } from './world/world.ts';

const skip = whyNoPods() ?? false;
/** Of a long stream. */
const mebibytes = Number(process.env['KNUDGE_STREAM_MIB'] ?? '1024');

/** A world with one service `web`, whose only backend is at the first address. */
async function startWith(
  context: TestContext,
  type: ServiceType,
  start: (context: TestContext, place: { address: string; port: number }) => Promise<unknown>,
): Promise<DataPlane> {
  const world = await startWorld(context);
  const place = { address: world.network.backend(0), port: 8080 };
  await start(context, place);
  world.put(service({ type, backends: manual([place]) }));
  await world.untilRunning('web');
  return world;
}

describe('what passes through frps, frpc and Envoy', { skip }, () => {
  it('requests over connections that stay open, each balanced by itself', async (context) => {
    const world = await startWorld(context);
    const backends = await Promise.all(
      ['a', 'b', 'c'].map((name, index) =>
        startBackend(context, 'http', { name, address: world.network.backend(index) }),
      ),
    );
    world.put(service({ type: 'http', backends: manual(backends) }));
    await world.untilRunning('web');
    const agent = keepAlive(2);
    context.after(() => agent.destroy());
    const to = { host: world.network.host, port: ports.http, name: hostOf('web') };
    await world.until('it answers', async () => 'by' in (await askHttp(to)));
    const connections = new Set<Socket>();
    agent.on('free', (socket: Socket) => connections.add(socket));
    const all = await Promise.all(Array.from({ length: 300 }, () => askHttp(to, agent)));
    const by = all.map((one) => ('by' in one ? one.by : one.failed));
    assert.deepEqual(countsOf(['a', 'b', 'c'], by), [100, 100, 100]);
    assert.equal(connections.size, 2, 'all over two connections');
  });

  it('a WebSocket', async (context) => {
    const world = await startWith(context, 'http', startStreams);
    const headers = {
      host: hostOf('web'),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const sent = request({ host: world.network.host, port: ports.http, headers });
    sent.end();
    const [response, socket] = (await once(sent, 'upgrade')) as [IncomingMessage, Socket];
    context.after(() => socket.destroy());
    assert.equal(response.statusCode, 101);
    // The answer to the key that RFC 6455 has as its example.
    assert.equal(response.headers['sec-websocket-accept'], 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    for (const text of ['first', 'second']) {
      socket.write(text);
      assert.equal(String((await once(socket, 'data'))[0]), text);
    }
  });

  it(`${String(mebibytes)} MiB from a backend, every byte in its place`, async (context) => {
    const world = await startWith(context, 'http', startStreams);
    const began = performance.now();
    const path = `/${String(mebibytes)}`;
    const asked = get({ host: world.network.host, port: ports.http, path, headers: { host: hostOf('web') } });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const hash = createHash('sha256');
    for await (const chunk of response) hash.update(chunk as Buffer);
    context.diagnostic(`${String(Math.round(mebibytes / ((performance.now() - began) / 1000)))} MiB/s`);
    assert.equal(hash.digest('hex'), hashOfStream(mebibytes));
  });

  it(`${String(mebibytes)} MiB to a backend, every byte in its place`, async (context) => {
    const world = await startWith(context, 'tcp', (test, place) => startHasher(test, place, mebibytes * 1024 * 1024));
    await world.until('frps listens', () => isOpen(world.network.host, ports.tcp));
    const began = performance.now();
    const socket = connect({ host: world.network.host, port: ports.tcp });
    // frp closes both directions when one is closed: the end of the stream is not the end of the connection.
    stream(mebibytes).pipe(socket, { end: false });
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    context.diagnostic(`${String(Math.round(mebibytes / ((performance.now() - began) / 1000)))} MiB/s`);
    assert.equal(answer.toString(), hashOfStream(mebibytes));
  });

  it('gRPC through a tcp service, with its trailers', async (context) => {
    const world = await startWith(context, 'tcp', startGrpc);
    await world.until('frps listens', () => isOpen(world.network.host, ports.tcp));
    const { status, body, trailers } = await callGrpc(`http://${world.network.host}:${String(ports.tcp)}`);
    assert.deepEqual([status, body], [200, 'message']);
    assert.deepEqual([trailers['grpc-status'], trailers['grpc-message']], ['0', 'fine']);
  });

  it('no gRPC through an http service: frp hands it over as HTTP/1.1', async (context) => {
    const world = await startWith(context, 'http', startGrpc);
    const { status, trailers } = await callGrpc(`http://${world.network.host}`, hostOf('web'));
    assert.notDeepEqual([status, trailers['grpc-status']], [200, '0']);
  });
});

async function isOpen(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  const opened = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return opened;
}

interface Called {
  readonly status: number;
  readonly body: string;
  readonly trailers: IncomingHttpHeaders;
}

async function callGrpc(url: string, authority?: string): Promise<Called> {
  const session = connectHttp2(url);
  try {
    await once(session, 'connect');
    const call = session.request({
      ':method': 'POST',
      ':path': '/service/Method',
      ...(authority !== undefined && { ':authority': authority }),
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let [body, trailers] = ['', {} as IncomingHttpHeaders];
    call.setEncoding('utf8');
    call.on('data', (chunk: string) => {
      body += chunk;
    });
    call.on('trailers', (some) => {
      trailers = some;
    });
    call.end('request');
    const [headers] = (await once(call, 'response')) as [IncomingHttpHeaders];
    if (!call.closed) await once(call, 'close');
    return { status: Number(headers[':status']), body, trailers };
  } finally {
    session.destroy();
  }
}
