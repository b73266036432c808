import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClusterError } from './errors.ts';
import { makeFolders, removeFolders } from './folders.ts';
import { removeNode } from './node/remove.ts';
import { belongsTo, endProcesses } from './processes.ts';

/** The content of cluster.json, so that a later command can find and remove everything. */
export type ClusterState = {
  /** The outermost folder that was made for the cluster; absent if its folder was there before. */
  made?: string;
  pids: number[];
  kubeconfig: string;
  auditLog?: string;
  controllers: boolean;
  /** It has a real node instead of a fake one. */
  node: boolean;
  /** Whether its Pods get the address of a DNS server for Services. */
  dns: boolean;
};

const ownFiles = [
  'kubeconfig',
  'kubeconfig.new',
  'pki',
  'etcd',
  'volume-plugins',
  'audit.log',
  'cluster.log',
  'kwok.pid',
  '.kwok',
  'node',
  'knudge',
  'cluster.json.new',
  'cluster.json',
];

/** The state of the cluster in this folder; undefined if the folder has no cluster. */
export function readState(dir: string): ClusterState | undefined {
  const path = join(dir, 'cluster.json');
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ClusterState;
  } catch (error) {
    throw new ClusterError(`${path} cannot be read (${String(error)}).`);
  }
}

export function writeState(dir: string, state: ClusterState): void {
  const path = join(dir, 'cluster.json');
  writeFileSync(`${path}.new`, `${JSON.stringify(state, undefined, 2)}\n`);
  renameSync(`${path}.new`, path);
}

export function isRunning(dir: string, state: ClusterState): boolean {
  return state.pids.length > 0 && state.pids.every((pid) => belongsTo(pid, dir));
}

/** Makes the folder and returns the outermost one that was missing. Throws ClusterError if it cannot be written. */
export function makeFolder(dir: string): string | undefined {
  let made: string | undefined;
  try {
    made = makeFolders(dir);
    const probe = join(dir, `.probe.${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
    return made;
  } catch (error) {
    if (made !== undefined) removeFolders(dir, made);
    throw new ClusterError(
      `The folder ${dir} cannot be written (${(error as NodeJS.ErrnoException).code}); choose another with --dir.`,
    );
  }
}

/** Ends what still runs of this cluster and deletes what it wrote; other files in its folder stay. */
export function removeCluster(dir: string, state: ClusterState): void {
  removeNode(dir);
  endProcesses([...state.pids, ...kwokPid(dir)], dir);
  for (const name of ownFiles) rmSync(join(dir, name), { recursive: true, force: true });
}

// kubestack starts kwok; if the kernel does not end a child with its parent, kwok may outlive it.
function kwokPid(dir: string): number[] {
  const path = join(dir, 'kwok.pid');
  return existsSync(path) ? [Number(readFileSync(path, 'utf8'))] : [];
}
