import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server of its own, with an empty database. */
export interface Postgres {
  readonly url: string;
  /** Kills it as a power failure would, and starts it again; resolves when it is up. */
  crash(): Promise<void>;
  /** Stops its processes: it keeps its connections and answers nothing. Returns the function that continues them. */
  freeze(): () => void;
  /** Ends it and deletes its folder. */
  stop(): Promise<void>;
}

/** The folder of the newest server that is installed; undefined if no server is installed. */
export function postgresFolder(): string | undefined {
  const found = globSync('/usr/lib/postgresql/*/bin/postgres').map(dirname);
  return found.toSorted((one, other) => versionOf(other) - versionOf(one))[0];
}

/** A further address of the server, and the clients that it trusts without a password. */
interface Open {
  readonly address: string;
  readonly from: string;
}

/** Starts a server in a temporary folder, on a socket there; `bin` is the result of `postgresFolder`. */
export async function startPostgres(bin: string, open?: Open): Promise<Postgres> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-pg-'));
  const who = userOf();
  if (who !== undefined) chownSync(dir, who.uid, who.gid);
  chmodSync(dir, 0o700);
  const data = join(dir, 'data');
  const how = { ...who, cwd: dir, stdio: 'ignore' } as const;
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'knudge', '-A', 'trust', '-E', 'UTF8', '--locale=C'], how);
  if (open !== undefined) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${open.from} trust\n`);
  const settings = [`listen_addresses=${open?.address ?? ''}`, 'logging_collector=off'].flatMap((one) => ['-c', one]);
  const start = (): ChildProcess => spawn(join(bin, 'postgres'), ['-D', data, '-k', dir, ...settings], how);
  let server = await startUntilReady(start, { bin, dir });
  return {
    url: `postgres://knudge@${open?.address ?? encodeURIComponent(dir)}/postgres`,
    crash: async () => {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      server = await startUntilReady(start, { bin, dir });
    },
    freeze: () => {
      const all = [server.pid ?? 0, ...childrenOf(server.pid)];
      for (const pid of all) process.kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of all) process.kill(pid, 'SIGCONT');
      };
    },
    stop: async () => {
      const exited = once(server, 'exit');
      // At once, and without a checkpoint: its data is not needed any more.
      server.kill('SIGQUIT');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function versionOf(folder: string): number {
  return Number(/\/([\d.]+)\/bin$/.exec(folder)?.[1] ?? 0);
}

/** PostgreSQL refuses to run as root: then it runs as the user of Debian's package, or as the user `nobody`. */
function userOf(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string): number => {
    try {
      return Number(
        execFileSync('id', [option, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      );
    } catch {
      return 65_534;
    }
  };
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Seconds. After a crash it first has to wait for the old processes, and then to recover. */
const longestStart = 120;

async function startUntilReady(
  start: () => ChildProcess,
  { bin, dir }: { readonly bin: string; readonly dir: string },
): Promise<ChildProcess> {
  const deadline = performance.now() + longestStart * 1000;
  let server = start();
  while (performance.now() < deadline) {
    await sleep(100);
    if (server.exitCode !== null) server = start();
    if (existsSync(join(dir, '.s.PGSQL.5432')) && isReady(bin, dir)) return server;
  }
  server.kill('SIGKILL');
  throw new Error(`PostgreSQL of ${bin} was not ready within ${longestStart} s`);
}

function isReady(bin: string, dir: string): boolean {
  try {
    execFileSync(join(bin, 'pg_isready'), ['-h', dir, '-q'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function childrenOf(parent: number | undefined): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
}
