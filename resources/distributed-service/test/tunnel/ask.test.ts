import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createAskTunnel } from '../../tunnel/ask.ts';

const body = [
  'cluster.upstream.version_text: "0a1b"',
  ...['membership_healthy', 'membership_total', 'update_failure', 'update_rejected'].map(
    (name) => `cluster.upstream.${name}: 1`,
  ),
].join('\n');
const answer = (status: string, text: string, headers = ''): string =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${String(Buffer.byteLength(text))}\r\n${headers}\r\n${text}`;

/** Something that listens where an Envoy should. */
async function startPod(context: TestContext, talk: (socket: Socket) => void) {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    talk(socket);
    // A socket that is not read does not show that the other side has gone.
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open };
}

const ofEndpoints = { address: '127.0.0.1', asksWhy: false };
const live = { version: '0a1b', total: 1, healthy: 1, refused: 2 };

test('an Envoy is asked at its path, and its answer taken', async (context) => {
  let asked = '';
  const { port } = await startPod(context, (socket) =>
    socket.once('data', (chunk) => {
      asked = String(chunk);
      socket.end(answer('200 OK', body));
    }),
  );
  assert.deepEqual(await createAskTunnel({ timeoutMs: 1000, port })(ofEndpoints), live);
  assert.match(asked, /^GET \/endpoints HTTP\/1\.1\r\n/);
});

const endless = (socket: Socket): void => {
  const more = (): void => {
    while (socket.writable && socket.write('x'.repeat(65_536))) {
      // Until the other side takes no more.
    }
  };
  socket.on('drain', more);
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  more();
};
const dripping = (socket: Socket): void => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
  const timer = setInterval(() => socket.write('x'), 10);
  socket.on('close', () => clearInterval(timer));
};

const hostile: readonly [sentence: string, talk: (socket: Socket) => void][] = [
  ['nothing, for ever', () => undefined],
  ['a byte now and then', dripping],
  ['without end', endless],
  ['headers without end', (socket) => void socket.write(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(100_000)}`)],
  ['no HTTP', (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ['and hangs up', (socket) => void socket.destroy()],
  ['half of it', (socket) => void socket.end(answer('200 OK', body).slice(0, -20))],
  ['an error', (socket) => void socket.end(answer('503 Service Unavailable', body))],
  ['that it is elsewhere', (socket) => void socket.end(answer('302 Found', body, 'location: http://127.0.0.1/\r\n'))],
  ['what is too long', (socket) => void socket.end(answer('200 OK', `${body}\n${' '.repeat(3000)}`))],
  ['something else', (socket) => void socket.end(answer('200 OK', '{"stats":[]}'))],
];
for (const [sentence, talk] of hostile) {
  test(`a Pod that says ${sentence} has said nothing, and is let go in time`, async (context) => {
    const { port, open } = await startPod(context, talk);
    const began = performance.now();
    assert.equal(await createAskTunnel({ timeoutMs: 200, port })(ofEndpoints), undefined);
    assert.ok(performance.now() - began < 2000);
    for (const socket of open) if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  });
}

test('where nobody listens there is no answer', async () => {
  assert.equal(await createAskTunnel({ timeoutMs: 500, port: 1 })(ofEndpoints), undefined);
});

test('nobody is asked with a time-out of 0', async (context) => {
  const { port, open } = await startPod(context, (socket) => void socket.end(answer('200 OK', body)));
  assert.equal(await createAskTunnel({ timeoutMs: 0, port })(ofEndpoints), undefined);
  assert.equal(open.size, 0);
});

/** A Pod that answers each path with what stands here. */
function startPaths(context: TestContext, paths: Readonly<Record<string, string>>) {
  return startPod(context, (socket) =>
    socket.once('data', (chunk) => {
      const [, path = ''] = /^GET (\S+) /.exec(String(chunk)) ?? [];
      socket.end(paths[path] ?? answer('403 Forbidden', ''));
    }),
  );
}

const proxies = (proxy: object): string => answer('200 OK', JSON.stringify({ tcp: [{ name: 'shop.web', ...proxy }] }));
const noConnection = (reason: string): string =>
  answer(
    '503 Service Unavailable',
    `upstream connect error or disconnect/reset before headers. reset reason: ${reason}`,
  );

const reasons: readonly [sentence: string, paths: Readonly<Record<string, string>>, why: object | undefined][] = [
  [
    'the server refuses the proxy',
    { '/proxies': proxies({ status: 'start error', err: 'port unavailable' }) },
    { is: 'refused', words: 'port unavailable' },
  ],
  [
    'nobody listens where the server should be',
    { '/proxies': answer('200 OK', '{}'), '/server': noConnection('remote connection failure') },
    { is: 'unreachable', words: 'remote connection failure' },
  ],
  [
    'the server has no address',
    { '/proxies': answer('200 OK', '{}'), '/server': answer('503 Service Unavailable', 'no healthy upstream') },
    { is: 'unreachable', words: 'its name leads to no address' },
  ],
  [
    'the server takes the connection alone',
    { '/proxies': answer('200 OK', '{}'), '/server': noConnection('connection termination') },
    { is: 'not-logged-in' },
  ],
  ['the proxy runs by now', { '/proxies': proxies({ status: 'running', err: '' }) }, undefined],
  ['frpc answers nonsense', { '/proxies': answer('200 OK', '[]') }, undefined],
  ['frpc does not answer', { '/proxies': answer('503 Service Unavailable', '') }, undefined],
];
for (const [sentence, paths, why] of reasons) {
  test(`why a service is not published is asked where that is wanted: ${sentence}`, async (context) => {
    const { port } = await startPaths(context, { '/endpoints': answer('200 OK', body), ...paths });
    const said = await createAskTunnel({ timeoutMs: 1000, port })({ address: '127.0.0.1', asksWhy: true });
    assert.deepEqual(said, { ...live, ...(why && { unpublished: why }) });
  });
}

test('words of others are one short line of plain letters', async (context) => {
  const err = `bad\n\u0000${'x'.repeat(1000)}`;
  const paths = { '/endpoints': answer('200 OK', body), '/proxies': proxies({ status: 'start error', err }) };
  const { port } = await startPaths(context, paths);
  const said = await createAskTunnel({ timeoutMs: 1000, port })({ address: '127.0.0.1', asksWhy: true });
  assert.match(said?.unpublished?.is === 'refused' ? said.unpublished.words : '', /^bad x{252}$/);
});
