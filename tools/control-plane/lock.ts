import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterError } from './errors.ts';
import { commandLine } from './processes.ts';

export type Lock = { path: string; waitMs: number; onWait: (pid: number) => void };

/**
 * Does the work while holding a lock file. Waits for a live holder and takes over from a dead one. Throws
 * ClusterError if the lock is not free in time, and everything that the work throws.
 */
export async function withLock<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid}\n${commandLine(process.pid)}`;
  await acquire(lock, mine);
  const release = () => {
    if (read(lock.path) === mine) rmSync(lock.path, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire({ path, waitMs, onWait }: Lock, mine: string): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let told = false; !create(path, mine); ) {
    const holder = read(path);
    const [pid = '', command] = (holder ?? '').split('\n');
    if (holder !== undefined && commandLine(Number(pid)) !== command) {
      // Two processes that find the same dead holder may both get here; the window is the one line between read and remove.
      if (read(path) === holder) rmSync(path, { force: true });
      continue;
    }
    if (Date.now() > deadline)
      throw new ClusterError(`Process ${pid} still holds ${path} after ${waitMs / 1000} seconds.`);
    if (!told && holder !== undefined) onWait(Number(pid));
    told = true;
    await sleep(200);
  }
}

// A hard link appears at once and whole, so a lock that is half written is never read.
function create(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
