import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MeshState } from '../../../packages/mesh/state.ts';
import { until } from '../../kube/until.ts';
import { type HopLine, hopOf } from '../../mesh/running-mesh.ts';

export interface MeshProcess {
  /** Every hop it has printed, `ready` too. */
  readonly hops: readonly HopLine[];
  /** When everything listens; fails with what it said when it ends before, or after two minutes. */
  readonly ready: Promise<MeshState>;
  /** The processes of a function that run now; of all functions without a stem. */
  pidsOf(stem?: string): readonly number[];
  /** SIGKILL to the mesh; `also`: to its functions too, which otherwise find out by themselves. Waits until it is gone. */
  kill(also?: 'functions'): Promise<void>;
  isAlive(): boolean;
}

/** `knudge dev` of a copy of the project, as a process group of its own. The folders may be those of one that was killed. */
export function startMeshProcess(root: string, args: readonly string[]): MeshProcess {
  const child = spawn(
    process.execPath,
    [join(root, 'cli/knudge.js'), 'start', '--port', '0', '--dir', join(root, 'run'), '--json', ...args],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const hops: HopLine[] = [];
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => hops.push(hopOf(line)));
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const ready = isUp({ hops, isAlive, said });
  ready.catch(() => undefined);
  return {
    hops,
    ready,
    pidsOf: (stem) => functionsOf(child.pid, stem),
    kill: async (also) => {
      if (!isAlive()) return;
      // Looked up first: once their parent is gone they are nobody's.
      const functions = also === undefined ? [] : functionsOf(child.pid);
      killGroup(child);
      for (const pid of functions) killProcess(pid);
      await exited;
    },
    isAlive,
  };
}

/** SIGKILL, or another; a process that is gone already is no fault. Gives whether it was there. */
export function killProcess(pid: number, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function isUp(mesh: { hops: readonly HopLine[]; isAlive: () => boolean; said: readonly string[] }) {
  const isReady = ({ kind }: HopLine): boolean => kind === 'ready';
  await until('the mesh is up, or gone', async () => mesh.hops.some(isReady) || !mesh.isAlive(), 120);
  const state = mesh.hops.find(isReady);
  if (state === undefined) throw new Error(`it ended before it was up: ${mesh.said.join('\n')}`);
  return state as unknown as MeshState;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) killProcess(-pid);
}

function functionsOf(parent: number | undefined, stem?: string): readonly number[] {
  const wanted = stem === undefined ? / [a-z]+(-[a-z]+)+$/ : new RegExp(` ${stem}$`);
  return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, ppid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return Number(ppid) === parent && wanted.test(command.trim()) ? [Number(pid)] : [];
    });
}
