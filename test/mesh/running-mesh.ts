import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { MeshState } from '../../packages/mesh/state.ts';
import { until } from '../kube/until.ts';

/** A hop as `--json` prints it: the event is its attributes. */
export type HopLine = Readonly<Record<string, unknown>> & { readonly kind: string };

/** What a line of `--json` says. The last line of a mesh that was killed may be cut: it is of the kind `cut`. */
export function hopOf(line: string): HopLine {
  try {
    return JSON.parse(line) as HopLine;
  } catch {
    return { kind: 'cut', line };
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `knudge dev` as a process of its own, in a folder of its own. */
export interface RunningMesh {
  readonly dir: string;
  readonly state: MeshState;
  readonly hops: readonly HopLine[];
  /** The processes of a function that run now. */
  pidsOf(stem: string): readonly number[];
  /** To its whole group, as a terminal sends Ctrl-C. */
  signal(signal: NodeJS.Signals): void;
  /** Its exit code. */
  ended(): Promise<number | null>;
  /** Whatever became of it: gone, with its folder. */
  remove(): void;
}

export function startProcess(...args: readonly string[]): Promise<RunningMesh> {
  return startProcessIn(root, args);
}

/** The same from a copy of the project. */
export async function startProcessIn(project: string, args: readonly string[]): Promise<RunningMesh> {
  const main = join(project, 'cli/knudge.js');
  const dir = mkdtempSync(join(tmpdir(), 'knudge-mesh-'));
  const child = spawn(process.execPath, [main, 'start', '--port', '0', '--dir', dir, '--json', ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const hops: HopLine[] = [];
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => hops.push(hopOf(line)));
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const remove = (): void => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  };
  const file = join(dir, 'state.json');
  await until('it is up', async () => existsSync(file) || failed(child, said), 90).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    dir,
    state: JSON.parse(readFileSync(file, 'utf8')) as MeshState,
    hops,
    pidsOf: (stem) =>
      childrenOf(child.pid)
        .filter(([, command]) => command.endsWith(` ${stem}`))
        .map(([pid]) => pid),
    signal: (signal) => process.kill(-Number(child.pid), signal),
    ended: () => exited,
    remove,
  };
}

function failed(child: ChildProcess, said: readonly string[]): false {
  if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said.join('\n')}`);
  return false;
}

function childrenOf(parent: number | undefined): readonly [pid: number, command: string][] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, ppid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent && command !== undefined ? [[Number(pid), command.trim()] as const] : [];
  }) as [number, string][];
}
