import { mkdirSync } from 'node:fs';
import { ClusterError } from '../errors.ts';
import { makeFolders } from '../folders.ts';
import { isRunning, readState } from '../state.ts';
import { behind, privateFolders } from './place.ts';
import { readRecord, writeRecord } from './record.ts';
import { removeNode } from './remove.ts';
import { readSysctls } from './sysctls.ts';

/**
 * Makes the machine's one node that of the cluster in this folder: writes down what to restore later, and makes the
 * node's folders. What a crashed cluster left is removed first. Throws ClusterError if the node of another one runs.
 */
export function claimNode(dir: string): void {
  checkFree(dir);
  removeNode(readRecord()?.dir ?? dir);
  mkdirSync(behind(dir, '/run/netns'), { recursive: true });
  const made = privateFolders.flatMap((folder) => {
    const outermost = makeFolders(folder);
    mkdirSync(behind(dir, folder), { recursive: true });
    return outermost === undefined ? [] : [{ folder, outermost }];
  });
  writeRecord({ dir, sysctls: readSysctls(), made });
}

/** Throws ClusterError if the node of another cluster runs; `claimNode` would find it too, but later. */
export function checkFree(dir: string): void {
  const owner = readRecord()?.dir;
  const state = owner === undefined || owner === dir ? undefined : readState(owner);
  if (owner === undefined || state === undefined || !isRunning(owner, state)) return;
  throw new ClusterError(
    `A machine has one real node, and the cluster in ${owner} has it: "npm run cluster -- down --dir ${owner}" first.`,
  );
}
