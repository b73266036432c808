import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningMesh } from '../../mesh/running-mesh.ts';
import { killProcess } from './mesh-process.ts';

/** Something that is wrong with the log, and the end of it. */
export type Trouble = (mesh: RunningMesh) => () => void | Promise<void>;

/** Where the file of a log lies: on a disk of its own that is soon full, where this machine lets us mount one. */
export interface SmallDisk {
  readonly file: string;
  readonly isMounted: boolean;
}

export function openSmallDisk(context: TestContext): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-disk-'));
  let isMounted = true;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    isMounted = false;
  }
  context.after(() => {
    if (isMounted) execFileSync('umount', ['--lazy', dir]);
    rmSync(dir, { recursive: true, force: true });
  });
  return { file: join(dir, 'events.db'), isMounted };
}

/** ENOSPC; without a disk of its own, a limit on how large a file of the process may be (EFBIG). */
export function full({ file, isMounted }: SmallDisk): Trouble {
  return (mesh) => {
    if (!isMounted) {
      limit(mesh, String(statSync(`${file}-wal`).size));
      return () => limit(mesh, 'unlimited');
    }
    const filler = join(file, '../filler');
    for (const piece of [4 * 1024 * 1024, 64 * 1024, 4096]) {
      try {
        for (;;) {
          writeFileSync(filler, Buffer.alloc(piece), { flag: 'a' });
        }
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      }
    }
    return () => rmSync(filler);
  };
}

function limit(mesh: RunningMesh, soft: string): void {
  for (const pid of mesh.pidsOf('event-log'))
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`]);
}

/** A writer has to wait up to this many milliseconds each time: while the file is another's. SQLite looks again each 100 ms. */
export function slow({ file }: Pick<SmallDisk, 'file'>, ms: number): Trouble {
  return () => {
    const state = { isOver: false };
    const work = async (): Promise<void> => {
      const lock = new DatabaseSync(file, { timeout: 2000 });
      while (!state.isOver) {
        lock.exec('BEGIN IMMEDIATE');
        await sleep(ms);
        lock.exec('ROLLBACK');
        await sleep(60);
      }
      lock.close();
    };
    const done = work();
    return async () => {
      state.isOver = true;
      await done;
    };
  };
}

/** The whole process stands still: it takes connections, and answers nothing. */
export const stopped: Trouble = (mesh) => {
  const pids = mesh.pidsOf('event-log');
  for (const pid of pids) killProcess(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) killProcess(pid, 'SIGCONT');
  };
};
