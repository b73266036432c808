import { join } from 'node:path';
import { podHere } from './addresses.ts';
import { type Container, startContainer } from './container.ts';
import { localise, type PodPlace } from './localise.ts';
import type { ContainerSpec, Pod } from './pod-spec.ts';
import { type PodState, podStatus } from './pod-status.ts';
import { type FindObject, makeFolder, type PodVolumes, podVolumes } from './pod-volumes.ts';
import { commandOf, environmentOf, type Machine } from './program.ts';

export interface RunningPodParts {
  /** Its address in the cluster. */
  readonly address: string;
  /** Empty: for volumes and logs. */
  readonly folder: string;
  readonly machine: Machine;
  readonly find: FindObject;
  readonly lookUp: PodPlace['lookUp'];
  readonly onChange: () => void;
  readonly backOffMs: number;
}

/** A Pod whose containers are processes of this machine. */
export interface RunningPod {
  /** Writes what ConfigMaps and Secrets have now into its volumes; starts it, if nothing is missing any more. */
  refresh(): void;
  status(pod: Pod): object;
  stop(graceMs: number): Promise<void>;
}

/** Starts a Pod, or waits for the objects that its volumes are made of. */
export function runPod(pod: Pod, parts: RunningPodParts): RunningPod {
  const { folder, address, onChange } = parts;
  const { name, uid = '' } = pod.metadata;
  makeFolder(folder);
  const place = { id: uid.slice(0, 8), address: podHere(address) ?? address, lookUp: parts.lookUp };
  const mounts = new Map<string, string>();
  const here = (text: string): string => localise(text, { ...place, mounts });
  const volumes = podVolumes(pod, { folder: join(folder, 'volumes'), find: parts.find, localise: here });
  mountAll(pod, volumes, mounts);
  const containers: Container[] = [];
  const state: PodState = { address, containers, waitsFor: undefined };

  function start(): void {
    // All before the first starts: one that this node cannot run keeps the others back.
    const all = pod.spec.containers.map(containerParts);
    for (const one of all) containers.push(startContainer(one));
  }

  function envHere(spec: ContainerSpec): Readonly<Record<string, string>> {
    const env = Object.entries(environmentOf(spec, pod, address)).map(([key, value]) => [key, here(value)] as const);
    return { PATH: parts.machine.path, ...Object.fromEntries(env) };
  }

  function containerParts(spec: ContainerSpec) {
    return {
      spec,
      command: commandOf(spec, parts.machine).map(here),
      env: envHere(spec),
      log: join(folder, `${spec.name}.log`),
      cwd: folder,
      restartPolicy: pod.spec.restartPolicy ?? 'Always',
      address: place.address,
      ports: spec.ports,
      localise: here,
      onChange,
      backOffMs: parts.backOffMs,
    } as const;
  }

  function attempt(): void {
    const missing = volumes.refresh();
    if (containers.length > 0) return;
    const before = state.waitsFor;
    state.waitsFor = missing.length === 0 ? undefined : `Pod ${name} waits: ${missing.join('; ')}`;
    if (missing.length === 0) start();
    if (missing.length === 0 || before !== state.waitsFor) onChange();
  }

  return {
    refresh: () => {
      try {
        attempt();
      } catch (error) {
        state.waitsFor = (error as Error).message;
        onChange();
      }
    },
    status: (now) => podStatus(now, state),
    stop: async (graceMs) => {
      await Promise.all(containers.map((one) => one.stop(graceMs)));
    },
  };
}

function mountAll({ spec }: Pod, { folders }: PodVolumes, mounts: Map<string, string>): void {
  for (const { volumeMounts = [] } of spec.containers) {
    for (const { name, mountPath, subPath } of volumeMounts) {
      const folder = folders.get(name);
      if (folder !== undefined) mounts.set(mountPath, subPath === undefined ? folder : join(folder, subPath));
    }
  }
}
