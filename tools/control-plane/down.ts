import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolders } from './folders.ts';
import { withLock } from './lock.ts';
import { isRunning, readState, removeCluster } from './state.ts';

const lockWaitMs = 180_000;

/**
 * Stops the cluster of a folder, also one that crashed, and removes all it wrote. It is killed, not drained: its data goes
 * with it. Returns what was there. Throws ClusterError if something cannot be stopped.
 */
export async function takeDown(dir: string, log: (line: string) => void): Promise<'nothing' | 'running' | 'crashed'> {
  if (!existsSync(join(dir, 'cluster.json'))) return 'nothing';
  const onWait = (pid: number) => log(`Process ${pid} is busy with ${dir}; waiting for it.`);
  const { found, made } = await withLock({ path: join(dir, 'cluster.lock'), waitMs: lockWaitMs, onWait }, async () => {
    const state = readState(dir);
    if (state === undefined) return { found: 'nothing' as const, made: undefined };
    const found = isRunning(dir, state) ? ('running' as const) : ('crashed' as const);
    removeCluster(dir, state);
    return { found, made: state.made };
  });
  if (made !== undefined) removeFolders(dir, made);
  return found;
}
