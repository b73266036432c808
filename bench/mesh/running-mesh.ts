import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { MeshState } from '../../packages/mesh/state.ts';

/** A hop as `--json` prints it, with only the attributes of its event. */
export interface HopLine {
  readonly kind: string;
  readonly trigger?: string;
  readonly function?: string;
  readonly status?: number;
  readonly event?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `npm start` as a process of its own, in a folder of its own. */
export interface RunningMesh {
  readonly pid: number;
  readonly state: MeshState;
  /** Calls for each hop from now on; returns the function that stops it. */
  onHop(listener: (hop: HopLine) => void): () => void;
  stop(): Promise<void>;
}

export type BrokerClass = 'Kafka' | 'MTChannelBasedBroker';

const main = fileURLToPath(new URL('../../cli/knudge.js', import.meta.url));
const overlays: Readonly<Record<BrokerClass, readonly string[]>> = {
  Kafka: ['--overlay', 'kafka'],
  MTChannelBasedBroker: [],
};

/** Starts it on free ports and waits until it is up, 20 s at most. `BENCH_MESH_NODE` is for flags such as `--cpu-prof`. */
export async function startMesh(broker: BrokerClass, ...args: readonly string[]): Promise<RunningMesh> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-bench-mesh-'));
  const flags = (process.env['BENCH_MESH_NODE'] ?? '').split(' ').filter((flag) => flag !== '');
  const options = ['--port', '0', '--dir', dir, '--json', ...overlays[broker], ...args];
  const child = spawn(process.execPath, [...flags, main, 'start', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const listeners = new Set<(hop: HopLine) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const hop = JSON.parse(line) as HopLine;
    for (const listener of listeners) listener(hop);
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dir, { recursive: true, force: true });
  };
  const file = join(dir, 'state.json');
  const deadline = performance.now() + 20_000;
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error(`the mesh ended with ${String(child.exitCode)}`);
    if (performance.now() > deadline) {
      await stop();
      throw new Error('the mesh is not up after 20 s');
    }
    await sleep(20);
  }
  return {
    pid: child.pid ?? 0,
    state: JSON.parse(readFileSync(file, 'utf8')) as MeshState,
    onHop: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
}

/** Resolves after this many wanted hops, with the time of the last; rejects after a minute. */
export function untilHops(mesh: RunningMesh, count: number, isWanted: (hop: HopLine) => boolean): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let left = count;
  const stop = mesh.onHop((hop) => {
    try {
      if (isWanted(hop)) left -= 1;
      if (left === 0) resolve(performance.now());
    } catch (error) {
      reject(error);
    }
  });
  const timer = setTimeout(
    () => reject(new Error(`${String(left)} of ${String(count)} hops are missing after 60 s`)),
    60_000,
  );
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}

/** Waits until there was no hop for this many milliseconds. */
export async function untilQuiet(mesh: RunningMesh, ms: number): Promise<void> {
  let last = performance.now();
  const stop = mesh.onHop(() => {
    last = performance.now();
  });
  while (performance.now() - last < ms) await sleep(Math.max(1, ms - (performance.now() - last)));
  stop();
}

/** Whether it is a delivery that was taken. */
export function isDelivered({ kind, status = 0, trigger }: HopLine, stem: string): boolean {
  return kind === 'delivered' && status >= 200 && status < 300 && trigger === `knudge/${stem}`;
}
