import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnudgeError } from '../domain/errors.ts';

/** Where a mesh that runs is found: `state.json` in its folder. */
export interface MeshState {
  readonly kubeconfig: string;
  readonly apiServer: string;
  readonly broker: string;
  readonly console: string | null;
  /** The address of each function. */
  readonly functions: Readonly<Record<string, string>>;
}

export interface Folder {
  write(state: MeshState): void;
  /** Takes away what only a running mesh has. */
  leave(): void;
}

const lock = 'mesh.pid';
const file = 'state.json';

/**
 * Takes a folder for one mesh, and makes it where it is missing. Throws `invalid-request` if another mesh that lives has
 * it; one that was killed has lost it.
 */
export function enterFolder(dir: string, pid: number): Folder {
  mkdirSync(dir, { recursive: true });
  const other = holderOf(dir);
  if (other !== undefined && other !== pid && isAlive(other)) {
    throw new KnudgeError(
      'invalid-request',
      `A mesh runs in ${dir} already (process ${other}): stop it or name another --dir`,
    );
  }
  const leave = (): void => {
    for (const name of [file, lock]) rmSync(join(dir, name), { force: true });
  };
  leave();
  try {
    writeFileSync(join(dir, lock), String(pid), { flag: 'wx' });
  } catch (cause) {
    throw new KnudgeError('invalid-request', `A mesh is just starting in ${dir}: name another --dir`, { cause });
  }
  return {
    write: (state) => {
      const draft = join(dir, `${file}.${pid}`);
      writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`);
      renameSync(draft, join(dir, file));
    },
    leave,
  };
}

function holderOf(dir: string): number | undefined {
  try {
    return Number(readFileSync(join(dir, lock), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
