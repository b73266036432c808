import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { byWriters, type Kube } from './kube.ts';
import { distributedService, names, paths, pod } from './objects.ts';
import { type RunningMesh, untilQuiet } from './running-mesh.ts';

/** Megabytes of resident memory. */
export interface Memory {
  readonly idle: number;
  readonly full: number;
  readonly bare: number;
}

export interface MemoryParts {
  readonly mesh: RunningMesh;
  readonly kube: Kube;
  /** A bare server that has not answered anything yet. */
  readonly barePid: number;
  readonly pods: number;
  readonly services: number;
}

/** Milliseconds of quiet: then every function sleeps (`--idle 1`), and V8 has given back what it gives back by itself. */
const restMs = 10_000;

/** Only the mesh; then with Pods that wake no function and DistributedServices without a server profile, reconciled once each. */
export async function measureMemory({ mesh, kube, barePid, pods, services }: MemoryParts): Promise<Memory> {
  await untilQuiet(mesh, restMs);
  const [idle, bare] = [residentOf(mesh.pid), residentOf(barePid)];
  const create = (path: string, object: (name: string) => object) => (name: string) =>
    kube.call({ method: 'POST', path, body: object(name) });
  await byWriters(names('held', pods), 16, create(paths.pods, pod));
  await byWriters(names('held', services), 16, create(paths.distributedServices, distributedService));
  await untilQuiet(mesh, restMs);
  await sleep(restMs);
  return { idle, bare, full: residentOf(mesh.pid) };
}

function residentOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
