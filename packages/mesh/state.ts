import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnudgeError } from '../controller/domain/errors.ts';

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
/** What outlives a mesh: one that made no secret of it may have left it there. */
const kept = /^(events\.db(-wal|-shm)?|objects\.sqlite(-wal|-shm)?|broker)$/;

/**
 * Takes a folder for one mesh, and makes it where it is missing. Throws `invalid-request` if it cannot be written, or if
 * another mesh that lives has it; one that was killed has lost it. `option` is what names the folder.
 */
export function enterFolder(dir: string, pid: number, option = '--dir'): Folder {
  writing(dir, option, () => mkdirSync(dir, { recursive: true }));
  const other = holderOf(dir);
  if (other !== undefined && other !== pid && isAlive(other)) {
    throw new KnudgeError(
      'misuse',
      `A mesh runs in ${dir} already (process ${other}): stop it or name another ${option}`,
    );
  }
  const leave = (): void => {
    for (const name of [file, lock]) rmSync(join(dir, name), { force: true });
  };
  writing(dir, option, () => {
    leave();
    writeFileSync(join(dir, lock), String(pid), { flag: 'wx' });
    for (const name of readdirSync(dir))
      if (kept.test(name)) chmodSync(join(dir, name), name === 'broker' ? 0o700 : 0o600);
  });
  return {
    write: (state) => {
      const draft = join(dir, `${file}.${pid}`);
      writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`);
      renameSync(draft, join(dir, file));
    },
    leave,
  };
}

/** The mesh that runs in a folder. Throws `unavailable` where none does. */
export function readState(dir: string): MeshState {
  try {
    return JSON.parse(readFileSync(join(dir, file), 'utf8')) as MeshState;
  } catch (cause) {
    const advice = 'start one with npx knudge dev, or name its --dir';
    throw new KnudgeError('unavailable', `No mesh runs in ${dir}: ${advice}`, { cause });
  }
}

/** Does it; what the file system says against it becomes a sentence. */
function writing(dir: string, option: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isTaken = code === 'EEXIST' && isFolder(dir);
    const why = isTaken ? `A mesh is just starting in ${dir}` : `The folder ${dir} cannot be written (${code})`;
    throw new KnudgeError('misuse', `${why}: name another ${option}`, { cause });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
