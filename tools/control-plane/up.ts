import { join } from 'node:path';
import { apiClient } from './api-client.ts';
import type { Assets } from './assets.ts';
import { findAssets, missingAssets } from './assets.ts';
import type { Programs } from './build.ts';
import { builtPrograms } from './build.ts';
import { ClusterError } from './errors.ts';
import { removeFolders } from './folders.ts';
import type { Launch } from './launch.ts';
import { checkPort, lastComplaints } from './launch.ts';
import { withLock } from './lock.ts';
import { prepareNode } from './node/prepare.ts';
import { startNode } from './node/start.ts';
import { belongsTo } from './processes.ts';
import { waitUntilUsable } from './ready.ts';
import { startAssets } from './start-assets.ts';
import { startBuilt } from './start-built.ts';
import type { ClusterState } from './state.ts';
import { isRunning, makeFolder, readState, removeCluster, writeState } from './state.ts';

export type UpRequest = Omit<Launch, 'onProcess'> & {
  /** KUBEBUILDER_ASSETS; undefined builds the programs. */
  assets: string | undefined;
  /** A real node instead of a fake one. */
  node: boolean;
  /** Whether Pods of the real node get the address of a DNS server for Services, which the caller installs. */
  dns: boolean;
  /** Whether the cluster ends with this process, even if that is killed. */
  exitWithParent: boolean;
  log: (line: string) => void;
};

export type Up = {
  state: ClusterState;
  /** False if it was running already. */
  started: boolean;
  /** Lets the cluster outlive this process; until then the cluster is removed when the process exits. */
  keep: () => void;
};

type Source =
  | { kind: 'assets'; assets: Assets }
  /** kubenode is there only for a real node. */
  | { kind: 'built'; programs: Programs; kubenode: string | undefined };

const lockWaitMs = 180_000;

/**
 * Starts the cluster of a folder and waits until Pods can be made; does nothing if it runs already. What a crashed one
 * left there is removed first. Throws ClusterError and leaves nothing if it cannot start.
 */
export async function bringUp(request: UpRequest): Promise<Up> {
  const { dir, port, log } = request;
  const running = runningIn(request);
  if (running !== undefined) return running;
  const source = await chooseSource(request);
  if (port !== 0) await checkPort(port);
  const fresh = makeFolder(dir);
  const made = readState(dir)?.made ?? fresh;
  const onWait = (pid: number) => log(`Process ${pid} is busy with ${dir}; waiting for it.`);
  try {
    return await withLock({ path: join(dir, 'cluster.lock'), waitMs: lockWaitMs, onWait }, () => {
      return Promise.resolve(runningIn(request) ?? startIn(request, source, made));
    });
  } catch (error) {
    if (made !== undefined) removeFolders(dir, made);
    throw error;
  }
}

function runningIn({ dir, node, dns }: UpRequest): Up | undefined {
  const state = readState(dir);
  if (state === undefined || !isRunning(dir, state)) return undefined;
  if (node && !state.node)
    throw new ClusterError(`The cluster in ${dir} runs without a real node: take it down first.`);
  if (dns && !state.dns) throw new ClusterError(`The cluster in ${dir} runs without Knative: take it down first.`);
  return { state, started: false, keep: () => {} };
}

async function chooseSource({ dir, assets: folder, node, log }: UpRequest): Promise<Source> {
  const kubenode = node ? await prepareNode(dir, log) : undefined;
  if (folder === undefined) return { kind: 'built', programs: await builtPrograms(log), kubenode };
  const assets = findAssets(folder);
  for (const sentence of missingAssets(assets)) log(`KUBEBUILDER_ASSETS: ${sentence}`);
  return { kind: 'assets', assets };
}

async function startIn(request: UpRequest, source: Source, made: string | undefined): Promise<Up> {
  const { dir, audit, node, dns, log } = request;
  const left = readState(dir);
  if (left !== undefined) {
    log('Removing what a cluster that crashed left here.');
    removeCluster(dir, left);
  }
  const state: ClusterState = {
    ...(made === undefined ? {} : { made }),
    ...(audit === undefined ? {} : { auditLog: join(dir, 'audit.log') }),
    kubeconfig: join(dir, 'kubeconfig'),
    controllers: source.kind === 'built' || source.assets.controllerManager !== undefined,
    node,
    dns,
    pids: [],
  };
  const abandon = () => {
    removeCluster(dir, state);
    if (made !== undefined) removeFolders(dir, made);
  };
  process.once('exit', abandon);
  const keep = () => process.off('exit', abandon);
  try {
    writeState(dir, state);
    await run(request, source, state);
    return { state, started: true, keep };
  } catch (error) {
    keep();
    removeCluster(dir, state);
    throw error;
  }
}

async function run(request: UpRequest, source: Source, state: ClusterState): Promise<void> {
  const { dir, log } = request;
  const onProcess = (pid: number) => {
    state.pids.push(pid);
    writeState(dir, state);
  };
  const checkAlive = () => {
    if (state.pids.every((pid) => belongsTo(pid, dir))) return;
    throw new ClusterError(`The cluster ended while it started:\n${lastComplaints(dir)}`);
  };
  const launch = { ...request, onProcess, checkAlive };
  log(`Starting the cluster in ${dir}.`);
  const kubenode = source.kind === 'built' ? source.kubenode : undefined;
  if (source.kind === 'built') await startBuilt(source.programs, launch);
  else await startAssets(source.assets, launch);
  const fakeNode = !request.node && (source.kind === 'built' || source.assets.kwok !== undefined);
  const call = await apiClient(state.kubeconfig);
  await waitUntilUsable(call, { controllers: state.controllers, fakeNode, checkAlive });
  if (kubenode !== undefined) await startNode({ ...launch, kubenode, call });
}
