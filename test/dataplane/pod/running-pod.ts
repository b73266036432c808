import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { type Container, type ContainerSpec, startContainer } from './container.ts';
import type { PodNetwork } from './network.ts';
import type { PodVolumes } from './pod-volumes.ts';

interface Probe {
  readonly httpGet?: { readonly path?: string; readonly port: number | string };
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
}

interface Spec {
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: { readonly runAsUser?: number; readonly runAsGroup?: number; readonly fsGroup?: number };
  readonly containers: readonly (ContainerSpec & {
    readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    readonly startupProbe?: Probe;
    readonly readinessProbe?: Probe;
  })[];
}

/** A Pod whose containers run. */
export interface RunningPod {
  readonly address: string;
  /** The file of its network namespace. */
  readonly network: string;
  /** By the name of the container: the one that runs now, how often it was started anew, and whether it is ready. */
  readonly containers: ReadonlyMap<string, ContainerState>;
  /** What all of its containers have said. */
  said(): string;
  /** SIGTERM, and SIGKILL after the grace period. */
  stop(): Promise<void>;
  kill(): void;
}

export interface ContainerState {
  container: Container;
  restarts: number;
  ready: boolean;
  /** Its startup probe has passed, or it has none. */
  started: boolean;
}

export interface PodParts {
  readonly pod: KubeObject;
  readonly network: PodNetwork;
  readonly volumes: PodVolumes;
  readonly folder: string;
  /** Called at each change of readiness and each restart. */
  readonly onChange: () => void;
}

/** Until the first success a probe is repeated this often: a test does not want to wait for the period. */
const eagerMs = 100;
const backOffMs = 1000;

/** Starts the containers of a Pod, starts them anew where they end, and probes them. */
export function runPod({ pod, network, volumes, folder, onChange }: PodParts): RunningPod {
  const { spec } = pod as unknown as { spec: Spec };
  const { runAsUser = 0, runAsGroup = 0, fsGroup = 0 } = spec.securityContext ?? {};
  const states = new Map<string, ContainerState>();
  const past: string[] = [];
  let stopping = false;

  function start(container: Spec['containers'][number], restarts: number): void {
    const running = startContainer(container, {
      network: network.file,
      root: join(folder, 'roots', container.name),
      volumes: volumes.folders,
      user: runAsUser,
      group: runAsGroup,
      fsGroup,
      uid: pod.metadata.uid ?? '',
    });
    const state: ContainerState = { container: running, restarts, ready: false, started: false };
    states.set(container.name, state);
    const { startupProbe, readinessProbe, ports = [] } = container;
    const at = { host: network.address, ports };
    const probeReadiness = (): (() => void) =>
      probe(readinessProbe, at, (ready) => {
        if (state.ready === ready || stopping) return;
        state.ready = ready;
        onChange();
      });
    let endProbe = probe(startupProbe, at, (started) => {
      if (!started || stopping || state.started) return;
      state.started = true;
      onChange();
      endProbe();
      endProbe = probeReadiness();
    });
    running.process.once('close', () => {
      endProbe();
      if (stopping) return;
      past.push(running.said());
      state.ready = false;
      state.started = false;
      onChange();
      setTimeout(() => !stopping && start(container, restarts + 1), backOffMs).unref();
    });
  }

  for (const container of spec.containers) start(container, 0);
  const each = (signal: NodeJS.Signals): void => {
    for (const { container } of states.values()) container.process.kill(signal);
  };
  const ended = async (): Promise<void> => {
    for (const { container } of states.values()) {
      const { exitCode, signalCode } = container.process;
      if (exitCode === null && signalCode === null) await once(container.process, 'close');
    }
  };
  return {
    address: network.address,
    network: network.file,
    containers: states,
    said: () => [...past, ...[...states].map(([name, { container }]) => `--- ${name}\n${container.said()}`)].join('\n'),
    stop: async () => {
      stopping = true;
      each('SIGTERM');
      const grace = (spec.terminationGracePeriodSeconds ?? 30) * 1000;
      const timer = setTimeout(() => each('SIGKILL'), grace);
      await ended();
      clearTimeout(timer);
    },
    kill: () => {
      stopping = true;
      each('SIGKILL');
    },
  };
}

/** Probes until told to stop; a container without a probe is ready at once. */
function probe(
  wanted: Probe | undefined,
  { host, ports }: { readonly host: string; readonly ports: NonNullable<Spec['containers'][number]['ports']> },
  tell: (good: boolean) => void,
): () => void {
  if (wanted?.httpGet === undefined) {
    setImmediate(tell, true);
    return () => undefined;
  }
  const { httpGet, periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3 } = wanted;
  const { path = '/', port } = httpGet;
  const number = typeof port === 'number' ? port : ports.find(({ name }) => name === port)?.containerPort;
  if (number === undefined) throw new Error(`no port is called ${String(port)}`);
  let failures = 0;
  let isReady = false;
  let hasEnded = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    const good = await isGood({ host, port: number, path, timeout: timeoutSeconds * 1000 });
    failures = good ? 0 : failures + 1;
    if (good || failures >= failureThreshold) isReady = good;
    if (hasEnded) return;
    tell(isReady);
    if (hasEnded) return;
    timer = setTimeout(look, isReady ? periodSeconds * 1000 : eagerMs);
    timer.unref();
  };
  timer = setTimeout(look, eagerMs);
  timer.unref();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

function isGood(to: { host: string; port: number; path: string; timeout: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request({ ...to, agent: false }, (answer) => {
      answer.resume();
      resolve((answer.statusCode ?? 0) >= 200 && (answer.statusCode ?? 0) < 400);
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(false));
    sent.end();
  });
}
