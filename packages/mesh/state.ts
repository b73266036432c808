import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KnudgeError } from '../controller/domain/errors.ts';
import { statusFile } from './status-file.ts';

/** Where a running mesh is found: `state.json` in its folder. */
export interface MeshState {
  readonly kubeconfig: string;
  readonly apiServer: string;
  readonly broker: string;
  readonly console: string | null;
  /** The file of the event log; null where a database has it. */
  readonly eventLog: string | null;
  /** The address of each function. */
  readonly functions: Readonly<Record<string, string>>;
}

export interface Folder {
  write(state: MeshState): void;
  /** Removes the files of a running mesh. */
  leave(): void;
}

const lock = 'mesh.pid';
const file = 'state.json';
/** Files that outlive a mesh; an older Knudge may have left them readable for other users. */
const kept = /^(events\.db(-wal|-shm)?|objects\.sqlite(-wal|-shm)?|broker)$/;

/**
 * Takes a folder for one mesh, and makes it if it is missing. Throws `misuse` if it cannot be written, or if
 * another running mesh has it; a mesh that was killed has lost it. `option` is the option that names the folder.
 */
export function enterFolder(dir: string, pid: number, option = '--dir'): Folder {
  refuseProc(dir, option);
  writing(dir, option, () => mkdirSync(dir, { recursive: true }));
  const other = holderOf(dir);
  if (other !== undefined && other !== pid && isAlive(other)) {
    throw new KnudgeError(
      'misuse',
      `A mesh runs in ${dir} already (process ${other}): stop it or name another ${option}`,
    );
  }
  const leave = (): void => {
    for (const name of [file, lock, statusFile]) rmSync(join(dir, name), { force: true });
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

/** The mesh that runs in a folder. Throws `unavailable` if no mesh runs there, or if it was killed and has left its files. */
export function readState(dir: string): MeshState {
  const holder = holderOf(dir);
  if (holder !== undefined && !isAlive(holder)) {
    throw new KnudgeError(
      'unavailable',
      `The mesh in ${dir} (process ${holder}) was killed: start it again with npx knudge dev`,
    );
  }
  try {
    return JSON.parse(readFileSync(join(dir, file), 'utf8')) as MeshState;
  } catch (cause) {
    const advice = 'start one with npx knudge dev, or name its --dir';
    throw new KnudgeError('unavailable', `No mesh runs in ${dir}: ${advice}`, { cause });
  }
}

/** The type of the file system of /proc: statfs(2). */
const procType = 0x9fa0;

/** `mkdir` of Node with `recursive` never ends in /proc, and no signal reaches it meanwhile. */
function refuseProc(dir: string, option: string): void {
  let nearest = resolve(dir);
  while (!existsSync(nearest) && nearest !== dirname(nearest)) nearest = dirname(nearest);
  if (process.platform !== 'linux' || statfsSync(nearest).type !== procType) return;
  throw new KnudgeError(
    'misuse',
    `The folder ${dir} cannot be written (no file can be made in /proc): name another ${option}`,
  );
}

/** Does the write; an error of the file system becomes a sentence. */
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
