import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ClusterError } from './errors.ts';

export type AuditLevel = 'Metadata' | 'RequestResponse';

/** The settings for a start of the control plane, in any way. */
export type Launch = {
  dir: string;
  /** 0 takes a free one. */
  port: number;
  audit: AuditLevel | undefined;
  apiserverArgs: readonly string[];
  /** Called with each new process, to write it down before the next one starts. */
  onProcess: (pid: number) => void;
};

export const stages = join(import.meta.dirname, 'kwok/stages.yaml');

/** Starts a program that goes on when this one ends, with its output in the cluster's log. Throws ClusterError. */
export function launch(program: string, args: readonly string[], { dir, onProcess }: Launch): Promise<void> {
  const log = openSync(join(dir, 'cluster.log'), 'a');
  // Without the user's environment: proxies, Go settings and ~/.kwok would change what the cluster does.
  const { PATH, KNUDGE_TEST_GOGC: GOGC } = process.env;
  const env = { PATH, HOME: dir, ...(GOGC !== undefined && { GOGC }) };
  const child = spawn(program, args, { cwd: dir, env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  return new Promise((started, failed) => {
    child.once('error', (error) => failed(new ClusterError(`${program} does not start: ${error.message}.`)));
    child.once('spawn', () => {
      child.unref();
      if (child.pid !== undefined) onProcess(child.pid);
      started();
    });
  });
}

/** The end of the cluster's log, without information lines: why a start failed. */
export function lastComplaints(dir: string): string {
  const lines = readFileSync(join(dir, 'cluster.log'), 'utf8').trimEnd().split('\n');
  return lines
    .filter((line) => !/^[IW]\d{4} |"level":"(info|warn)"/.test(line))
    .slice(-8)
    .join('\n');
}

/** Free ports of 127.0.0.1, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listenOn(0)));
  for (const { close } of servers) close();
  return servers.map(({ port }) => port);
}

/** Throws ClusterError if something listens on this port of 127.0.0.1 already. */
export async function checkPort(port: number): Promise<void> {
  const { close } = await listenOn(port).catch((error: NodeJS.ErrnoException) => {
    throw new ClusterError(
      `Port ${port} of 127.0.0.1 cannot be used (${error.code}); choose another with --port, or none.`,
    );
  });
  close();
}

function listenOn(port: number): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  return new Promise((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      listening({ port: typeof address === 'object' ? (address?.port ?? 0) : 0, close: () => server.close() });
    });
  });
}
