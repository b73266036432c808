import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stem } from '../../../functions/table.ts';
import { startApiStub } from '../../build/api-stub.ts';
import { until } from '../../kube/until.ts';
import type { Report } from './report-memory.ts';

/** A function as a process of its own, before an API server that has nothing but `present`. */
export interface Target {
  readonly port: number;
  readonly pid: number;
  /** Has it ended, or another taken its place? */
  isAlive(): boolean;
  /** Its memory after all garbage was collected. */
  report(): Promise<Report>;
  /** The most memory that it ever had, in bytes. */
  peak(): number;
  /** What it said on its standard error. */
  errors(): string;
  stop(): Promise<void>;
}

/** The one object that is there: a dry run of it has something to plan. */
export const present = {
  apiVersion: 'myorg.dev/v1',
  kind: 'Message',
  metadata: { name: 'present', namespace: 'shop' },
};

const found = { ...present, metadata: { ...present.metadata, uid: 'u', resourceVersion: '1' }, spec: { text: 'hi' } };
const notFound = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };

/**
 * Its log goes to nowhere: through a pipe it would wait for this process to read it, and so measure us. All that it logs
 * is written all the same.
 */
export async function startTarget(stem: Stem): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-target-'));
  const api = await startApiStub(({ method, url = '' }) => {
    const isPresent = method === 'GET' && url.startsWith('/apis/myorg.dev/v1/namespaces/shop/messages/present');
    return isPresent
      ? { status: 200, body: found }
      : { status: 404, body: { ...notFound, message: 'there is nothing' } };
  });
  const [port, reportFile, errorFile] = [await freePort(), join(folder, 'report.json'), join(folder, 'errors')];
  const errorTo = openSync(errorFile, 'w');
  const child = spawn(process.execPath, ['packages/start/function.ts', stem], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PORT: String(port),
      API_SERVER_URL: api.url,
      K_SINK: 'http://127.0.0.1:9/',
      // Pods of the simulated API are nowhere.
      TUNNEL_TIMEOUT_MS: '0',
      REPORT_FILE: reportFile,
      NODE_OPTIONS: `--expose-gc --import ${join(import.meta.dirname, 'report-memory.ts')}`,
      NODE_NO_WARNINGS: '1',
    },
    stdio: ['ignore', openSync('/dev/null', 'w'), errorTo],
  });
  closeSync(errorTo);
  const { pid = 0 } = child;
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  const errors = (): string => readFileSync(errorFile, 'utf8');
  await until(`${stem} is ready`, async () => {
    if (child.exitCode !== null) throw new Error(`it has ended: ${errors()}`);
    return (await fetch(`http://127.0.0.1:${port}/health/readiness`)).status === 200;
  });
  return {
    port,
    pid,
    isAlive: () => child.exitCode === null && child.signalCode === null && child.pid === pid,
    report: async () => {
      rmSync(reportFile, { force: true });
      child.kill('SIGUSR2');
      await until('the process reports', async () => existsSync(reportFile) && readFileSync(reportFile).length > 0);
      return JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
    },
    peak: () => {
      const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return Number(kilobytes) * 1024;
    },
    errors,
    stop: async () => {
      process.off('exit', onExit);
      child.kill('SIGTERM');
      await until('the function has ended', async () => child.exitCode !== null || child.signalCode !== null, 40);
      api.close();
      rmSync(folder, { recursive: true });
      if (child.exitCode !== 0) throw new Error(`${stem} ended with ${child.exitCode ?? child.signalCode}`);
    },
  };
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const server = createServer().listen(0, '127.0.0.1', () => resolve(undefined));
  await promise;
  const { port } = server.address() as AddressInfo;
  const closed = Promise.withResolvers<undefined>();
  server.close(() => closed.resolve(undefined));
  await closed.promise;
  return port;
}
