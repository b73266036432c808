import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { shared } from '../tools/build/bundles.ts';
import { stubCertificate } from '../tools/build/stub-certificate.ts';
import { readArguments } from './arguments.ts';
import { coldStart } from './cold-start.ts';
import { cpuMsOf } from './cpu.ts';
import { load } from './load.ts';
import { type Row, report } from './report.ts';
import { requestOf } from './request.ts';
import { type Running, startServer } from './running.ts';
import { median, pairedRatio, shuffled } from './statistics.ts';

/** The ways of `contestants/asking.ts`. */
const ways = ['none', 'https', 'https, less around it', 'http2', 'undici', 'sockets'] as const;
const [bare] = ways;
const event = requestOf('pod-changed/pod-add');
/** About as many connections as a Broker keeps open to one function. */
const requests = Array.from({ length: 16 }, () => event);

interface Measured {
  readonly warmUs: number[];
  readonly coldMs: number[];
}

const args = readArguments(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'knudge-bench-asking-'));
const api = await startApi();
const running = new Map<string, Running>();
try {
  const [server, preload] = await Promise.all([bundle('asking'), bundle('preload')]);
  for (const way of ways) running.set(way, await startServer(['--require', preload, server], environment(way)));
  for (const way of ways) await warm(way, args.smoke ? 100 : 4000);
  const measured = new Map(ways.map((way): [string, Measured] => [way, { warmUs: [], coldMs: [] }]));
  for (let round = 0; round < args.rounds; round += 1) {
    for (const way of shuffled(ways)) {
      measured.get(way)?.warmUs.push(await warm(way, args.smoke ? 100 : 1000));
      const { cpu } = await coldStart({ args: [server], env: environment(way), preload, request: event });
      measured.get(way)?.coldMs.push(cpu);
    }
  }
  const rows = ways.map((way) => rowOf(way, measured));
  report('CPU time of a server that asks an API server twice for each event, times one that does not', rows, args);
} finally {
  for (const server of running.values()) await server.stop();
  api.close();
  rmSync(folder, { recursive: true });
}

/** HTTP/2 and HTTP/1.1 over TLS on one port, with an object of half a KB. */
async function startApi() {
  const { key, certificate } = await stubCertificate();
  writeFileSync(join(folder, 'ca.crt'), certificate);
  const body = JSON.stringify({ kind: 'Message', metadata: { name: 'm1', uid: 'u' }, spec: { text: 'x'.repeat(400) } });
  const fields = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const server = createSecureServer({ key, cert: certificate, allowHTTP1: true }, (request, response) => {
    request.resume();
    response.writeHead(200, fields).end(body);
  });
  // The simplest of the ways does not notice that an idle connection was closed.
  Object.assign(server, { keepAliveTimeout: 600_000 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return server;
}

function environment(way: string): Readonly<Record<string, string>> {
  return {
    BENCH_WAY: way,
    BENCH_API: `https://127.0.0.1:${String((api.address() as AddressInfo).port)}`,
    BENCH_CA: join(folder, 'ca.crt'),
    // undici comes with the client of Kubernetes.
    BENCH_UNDICI: createRequire(import.meta.resolve('@kubernetes/client-node')).resolve('undici'),
  };
}

async function bundle(name: string): Promise<string> {
  const outfile = join(folder, `${name}.cjs`);
  const entry = fileURLToPath(new URL(`contestants/${name}.ts`, import.meta.url));
  await build({ ...shared, entryPoints: [entry], outfile });
  return outfile;
}

/** CPU time of an event in microseconds. */
async function warm(way: string, total: number): Promise<number> {
  const { pid, port } = running.get(way) ?? { pid: 0, port: 0 };
  const before = cpuMsOf(pid);
  await load({ port, requests, total, expected: '204' });
  return ((cpuMsOf(pid) - before) / total) * 1000;
}

function rowOf(way: string, measured: ReadonlyMap<string, Measured>): Row {
  const [own, base] = [measured.get(way), measured.get(bare)];
  const [{ warmUs, coldMs }, other] = [own ?? noneYet, base ?? noneYet];
  const figures = {
    'event, ×': pairedRatio(warmUs, other.warmUs),
    'start, ×': pairedRatio(coldMs, other.coldMs),
    'event µs': median(warmUs),
    'start ms': median(coldMs),
  };
  return { name: way, figures };
}

const noneYet: Measured = { warmUs: [], coldMs: [] };
