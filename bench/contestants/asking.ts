import { readFileSync } from 'node:fs';
import { type Agent, createServer, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

// The bare server, which for each event also makes two requests to an API server, one after the other: BENCH_WAY says how.

type Ask = (path: string) => Promise<string>;

/** The part of undici that is used. */
interface Pool {
  request(what: object): Promise<{ readonly body: { text(): Promise<string> } }>;
}

const { BENCH_WAY = '', BENCH_API = '', BENCH_CA = '', BENCH_UNDICI = '', PORT } = process.env;
const url = new URL(BENCH_API);
const ca = readFileSync(BENCH_CA, 'utf8');
/** As long as the token of a ServiceAccount. */
const authorization = `Bearer ${'x'.repeat(900)}`;
const headers = { accept: 'application/json', 'user-agent': 'bench/1', authorization };
const limits = { keepAlive: true, maxSockets: 16, scheduling: 'lifo' } as const;
const paths = ['/apis/myorg.dev/v1/namespaces/bench/messages/m1', '/api/v1/namespaces/bench/pods/msg-m1'];

/** Each loads only what it needs. */
const ways: Readonly<Record<string, () => Promise<Ask>>> = {
  none: async () => async () => '{}',
  https: async () => {
    const { Agent: Secure } = await import('node:https');
    const agent = new Secure({ ...limits, ca });
    return (path) => overHttp({ agent, ...optionsOf(new URL(path, url)) });
  },
  'https, less around it': async () => {
    const { Agent: Secure } = await import('node:https');
    // A fixed name instead of one that is made of the certificates, and no address to parse.
    const agent: Agent = Object.assign(new Secure({ ...limits, ca }), { getName: () => 'the API server' });
    const options = { agent, ...optionsOf(url) };
    return (path) => overHttp({ ...options, path });
  },
  http2: async () => {
    const { connect } = await import('node:http2');
    const session = connect(url, { ca });
    return (path) => text(session.request({ ':path': path, ...headers }, { endStream: true }));
  },
  undici: async () => {
    const { Pool } = require(BENCH_UNDICI) as { readonly Pool: new (origin: string, options: object) => Pool };
    const pool = new Pool(url.origin, { connections: limits.maxSockets, connect: { ca } });
    return async (path) => (await pool.request({ path, method: 'GET', headers })).body.text();
  },
  sockets: async () => {
    const { connect } = await import('node:tls');
    const free: TLSSocket[] = [];
    return async (path) => {
      const socket = free.pop() ?? connect({ host: url.hostname, port: Number(url.port), ca });
      const answer = await overSocket(socket, path);
      free.push(socket);
      return answer;
    };
  },
};

function optionsOf({ protocol, hostname, port, pathname }: URL): RequestOptions {
  return { protocol, hostname, port, path: pathname, headers };
}

function overHttp(options: RequestOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const asked = request(options, (response: IncomingMessage) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve(Buffer.concat(chunks).toString()));
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

const head = Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);

/** The least that HTTP can cost, without a client: it reads only answers with a Content-Length. */
function overSocket(socket: TLSSocket, path: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let seen: Buffer = Buffer.alloc(0);
  const more = (chunk: Buffer): void => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const end = seen.indexOf('\r\n\r\n') + 4;
    const length = Number(/content-length: (\d+)/i.exec(seen.toString('latin1', 0, end))?.[1]);
    if (!(seen.length >= end + length)) return;
    socket.off('data', more);
    resolve(seen.toString('utf8', end, end + length));
  };
  socket.on('data', more);
  socket.write(`GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
  return promise;
}

let asking: Promise<Ask> | undefined;

async function answer(body: string): Promise<void> {
  JSON.parse(body);
  asking ??= ways[BENCH_WAY]?.();
  const ask = await asking;
  for (const path of paths) JSON.parse((await ask?.(path)) ?? '');
}

createServer((event, response) => {
  text(event)
    .then(answer)
    .then(
      () => response.writeHead(204).end(),
      () => response.writeHead(500).end(),
    );
}).listen(Number(PORT));
