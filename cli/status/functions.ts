import { resolve } from 'node:path';
import type { Transport } from '../../packages/controller/cluster/call.ts';
import type { Look } from '../../packages/controller/cluster/look.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { type MeshStatus, readStatus } from '../../packages/mesh/status-file.ts';
import { version } from '../about.ts';
import { at, conditionOf } from '../doctor/seen.ts';
import { manifests } from '../manifests.ts';
import type { LogOptions } from '../open-log.ts';
import { memoryOf } from './memory.ts';
import type { FunctionStatus } from './text.ts';

type Place = Pick<LogOptions, 'dir' | 'kubeconfig' | 'namespace'>;

/** A way into the cluster of a kubeconfig, to be closed. */
export async function connectTo(kubeconfig: string): Promise<Transport & { close(): void }> {
  // Imported here because it loads the Kubernetes client.
  const { outsideCluster } = await import('../../packages/controller/cluster/outside.ts');
  return createTransport({ access: await outsideCluster({ kubeconfig }), version, timeoutMs: 10_000 });
}

/** A row for each Trigger that wakes a function, with the process that serves it. A mesh is not asked: its file says it. */
export async function functionStates(
  { dir, kubeconfig, namespace }: Place,
  look?: Look,
): Promise<readonly FunctionStatus[]> {
  const isMesh = kubeconfig === undefined || look === undefined;
  const seen = isMesh ? readStatus(resolve(dir)) : await podsOf(look, namespace);
  const memory = isMesh ? await memoryHere(seen) : await memoryThere(look, namespace);
  return manifests().triggers.flatMap(({ name, subscriber }) => {
    if (subscriber.kind !== 'function') return [];
    const last = seen.functions[name];
    const { pids: _, ...process } = { awake: 0, ...seen.processes[subscriber.name] };
    const memoryBytes = memory.get(subscriber.name);
    const known = { ...(memoryBytes !== undefined && { memoryBytes }), ...(last && { last }) };
    return [{ name, process: subscriber.name, ...process, ...known }];
  });
}

/** Bytes of memory by the name of the process; one that sleeps has none. */
type Memory = ReadonlyMap<string, number>;

async function memoryHere({ processes }: MeshStatus): Promise<Memory> {
  const sizes = await Promise.all(
    Object.entries(processes).map(async ([name, { pids = [] }]) => [name, await memoryOf(pids)] as const),
  );
  return new Map(sizes.flatMap(([name, bytes]) => (bytes === undefined || bytes === 0 ? [] : [[name, bytes]])));
}

async function memoryThere(look: Look, namespace: string): Promise<Memory> {
  // Imported here because it loads the Kubernetes client.
  const { podMemory } = await import('../../packages/controller/cluster/pod-memory.ts');
  return podMemory(look, { namespace, label });
}

/** The Pods of each Knative Service that are ready. Cold times and last events are known only where a mesh runs. */
async function podsOf(look: Look, namespace: string): Promise<MeshStatus> {
  const pods = await look.list({ apiVersion: 'v1', kind: 'Pod', plural: 'pods' }, { namespace, labelSelector: label });
  const processes: Record<string, { awake: number; crashing?: string }> = {};
  for (const pod of pods) {
    const name = pod.metadata.labels?.[label] ?? '';
    const ready = conditionOf(pod, 'Ready')?.status === 'True' ? 1 : 0;
    const crashing = crashingOf(pod);
    const before = processes[name] ?? { awake: 0 };
    processes[name] = { ...before, awake: before.awake + ready, ...(crashing !== undefined && { crashing }) };
  }
  return { processes, functions: {} };
}

const label = 'serving.knative.dev/service';

/** Why a container of the Pod does not stay up, in Kubernetes' words. */
function crashingOf(pod: KubeObject): string | undefined {
  const containers = (at(pod, 'status', 'containerStatuses') ?? []) as readonly unknown[];
  const reasons = containers.map((one) => at(one, 'state', 'waiting', 'reason'));
  return reasons.includes('CrashLoopBackOff') ? `CrashLoopBackOff in Pod ${pod.metadata.name}` : undefined;
}
