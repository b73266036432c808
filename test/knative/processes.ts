import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Site } from './site.ts';

export interface Running extends KubeObject {
  readonly spec: { readonly containers: readonly { readonly name: string }[] };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly restartCount: number;
  readonly containerID?: string;
  readonly state?: { readonly waiting?: { readonly reason?: string }; readonly running?: unknown };
  readonly lastState?: { readonly terminated?: { readonly exitCode: number } };
}

/** The Pods with a label that are not on their way out. */
export async function podsWith(
  site: Site,
  namespace: string,
  label: Readonly<Record<string, string>>,
): Promise<readonly Running[]> {
  const pods = (await site.list('v1', 'Pod', namespace)) as readonly Running[];
  return pods.filter(
    ({ metadata }) =>
      metadata.deletionTimestamp === undefined &&
      Object.entries(label).every(([key, value]) => metadata.labels?.[key] === value),
  );
}

export const ofFunction = (name: string) => ({ 'serving.knative.dev/service': name });

export function isReady({ status }: Running): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
}

export function containerOf({ status }: Running, name = 'user-container'): ContainerStatus | undefined {
  return status?.containerStatuses?.find((one) => one.name === name);
}

/** The processes of a container, which this machine sees too, the first one first. */
function processesOf(status: ContainerStatus | undefined): readonly number[] {
  const id = status?.containerID?.replace(/^.*:\/\//, '');
  if (id === undefined) return [];
  return globSync('/proc/[0-9]*/cgroup')
    .filter((path) => mentions(path, id))
    .map((path) => Number(path.split('/')[2]))
    .sort((a, b) => a - b);
}

function mentions(path: string, id: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(id);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** Sends SIGTERM to the process of a container, without a word to Knative. */
export function terminate(status: ContainerStatus | undefined): void {
  const [first] = processesOf(status);
  if (first === undefined) throw new Error(`container ${status?.name ?? ''} has no process`);
  execFileSync('kill', ['-TERM', String(first)]);
}
