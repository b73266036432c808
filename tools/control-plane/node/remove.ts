import { ClusterError } from '../errors.ts';
import { removeFolders } from '../folders.ts';
import { processesInCgroups, removeCgroups } from './cgroups.ts';
import { processesInNetwork, removeNetwork } from './network.ts';
import { readRecord, removeRecord } from './record.ts';
import { restoreSysctls } from './sysctls.ts';

const endTimeoutMs = 30_000;

/**
 * Removes the node of the cluster in this folder, also one that crashed or only half started; does nothing if there
 * is no node. It is killed, not drained, and its mounts and its Pods' networks go with the last process that sees them.
 * Synchronous, so that it also works while Node exits. Throws ClusterError if a process does not end.
 */
export function removeNode(dir: string): void {
  const record = readRecord();
  if (record?.dir !== dir) return;
  endAll();
  removeNetwork();
  removeCgroups();
  restoreSysctls(record.sysctls);
  for (const { folder, outermost } of record.made) removeFolders(folder, outermost);
  removeRecord();
}

// Processes that start others are killed too, so that each turn finds fewer.
function endAll(): void {
  const deadline = Date.now() + endTimeoutMs;
  for (;;) {
    const pids = new Set([...processesInNetwork(), ...processesInCgroups()]);
    if (pids.size === 0) return;
    if (Date.now() > deadline) throw new ClusterError(`Processes of the node do not end: ${[...pids].join(', ')}.`);
    for (const pid of pids) kill(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
