import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Bytes of memory that these processes of this machine have (resident set size); undefined where nobody says it of one of them. */
export async function memoryOf(pids: readonly number[]): Promise<number | undefined> {
  const sizes = await Promise.all(pids.map((pid) => fromProc(pid).catch(() => fromPs(pid))));
  return sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}

/** proc_pid_status(5), on Linux alone. */
async function fromProc(pid: number): Promise<number | undefined> {
  return bytesIn(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${String(pid)}/status`, 'utf8'))?.[1]);
}

async function fromPs(pid: number): Promise<number | undefined> {
  const asked = promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return bytesIn((await asked.catch(() => undefined))?.stdout);
}

function bytesIn(kibibytes = ''): number | undefined {
  return /^\s*\d+\s*$/.test(kibibytes) ? Number(kibibytes) * 1024 : undefined;
}
