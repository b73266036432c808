import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { timeOf } from '../../controller/domain/time.ts';
import type { ContainerSpec, PodSpec } from './pod-spec.ts';
import { type ProbedAt, startProbe } from './probe.ts';

export interface ContainerParts extends ProbedAt {
  readonly spec: ContainerSpec;
  /** The program and its arguments, for this machine. */
  readonly command: readonly string[];
  readonly log: string;
  readonly cwd: string;
  readonly restartPolicy: NonNullable<PodSpec['restartPolicy']>;
  readonly onChange: () => void;
  /** Milliseconds before the second restart; the first is at once, and each later one waits twice as long. */
  readonly backOffMs: number;
}

/** A process that stands for a container, started again when it ends. */
export interface Container {
  /** As in the status of a Pod. */
  status(): Readonly<Record<string, unknown>> & { readonly ready: boolean };
  /** Whether it has ended for good, and with which exit code. */
  ended(): number | undefined;
  /** Asks it to end, kills it after the grace, and waits until it is gone. */
  stop(graceMs: number): Promise<void>;
}

/** As the kubelet: no wait is longer than five minutes, and one who has run for ten begins anew. */
const longestBackOffMs = 300_000;
const longRunMs = 600_000;

/** Processes that run now: killed with this one, whatever ends it. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) killGroup(child, 'SIGKILL');
});

/** Starts a container. `parts.onChange` is called whenever its status is another. */
export function startContainer(parts: ContainerParts): Container {
  const { spec, onChange, restartPolicy, backOffMs } = parts;
  const state: State = {
    restarts: 0,
    ready: false,
    started: false,
    last: {},
    now: { waiting: {} },
    endedWith: undefined,
  };
  let child: ChildProcess | undefined;
  let stopProbes = (): void => undefined;
  let waiting: NodeJS.Timeout | undefined;
  let isStopping = false;
  let waits = 0;

  function start(): void {
    const began = Date.now();
    child = launch(parts);
    state.now = { running: { startedAt: time() } };
    stopProbes = probesOf(parts, state, () => child && killGroup(child, 'SIGTERM'));
    onceGone(child, (exitCode, why) => {
      stopProbes();
      [state.ready, state.started] = [false, false];
      state.last = { terminated: { exitCode, reason: why, startedAt: timeOf(began / 1000), finishedAt: time() } };
      const isOver = restartPolicy === 'Never' || (restartPolicy === 'OnFailure' && exitCode === 0);
      if (isStopping || isOver) {
        state.endedWith = exitCode;
        state.now = state.last;
      } else startAgain(Date.now() - began);
      onChange();
    });
    onChange();
  }

  function startAgain(ranMs: number): void {
    if (ranMs >= longRunMs) waits = 0;
    const ms = waits === 0 ? 0 : Math.min(backOffMs * 2 ** (waits - 1), longestBackOffMs);
    waits += 1;
    const message = `back-off ${String(Math.round(ms / 1000))}s restarting failed container=${spec.name}`;
    state.now = { waiting: { reason: 'CrashLoopBackOff', message } };
    waiting = setTimeout(() => {
      state.restarts += 1;
      start();
    }, ms);
  }

  start();
  return {
    status: () => statusOf(spec, state),
    ended: () => state.endedWith,
    stop: async (graceMs) => {
      isStopping = true;
      clearTimeout(waiting);
      if (child === undefined || hasEnded(child)) return;
      const stopping = child;
      const gone = new Promise<void>((resolve) => onceGone(stopping, () => resolve()));
      killGroup(stopping, graceMs === 0 ? 'SIGKILL' : 'SIGTERM');
      const kill = setTimeout(() => killGroup(stopping, 'SIGKILL'), graceMs);
      await gone;
      clearTimeout(kill);
    },
  };
}

interface State {
  restarts: number;
  ready: boolean;
  started: boolean;
  last: object;
  now: object;
  endedWith: number | undefined;
}

function statusOf({ name, image }: ContainerSpec, { ready, started, restarts, last, now }: State) {
  return { name, image, imageID: '', ready, started, restartCount: restarts, state: now, lastState: last };
}

/** Probes as the spec says: readiness and liveness begin when the startup probe has passed. */
function probesOf(parts: ContainerParts, state: State, end: () => void): () => void {
  const { startupProbe, readinessProbe, livenessProbe } = parts.spec;
  const stops: (() => void)[] = [];
  let isOver = false;
  const become = (field: 'ready' | 'started', value: boolean): void => {
    if (state[field] === value) return;
    state[field] = value;
    parts.onChange();
  };
  const begin = (): void => {
    if (isOver) return;
    for (const stop of stops.splice(0)) stop();
    become('started', true);
    if (livenessProbe !== undefined) stops.push(startProbe(livenessProbe, parts, (good) => good || end()));
    if (readinessProbe === undefined) become('ready', true);
    else stops.push(startProbe(readinessProbe, parts, (good) => become('ready', good)));
  };
  if (startupProbe === undefined) setImmediate(begin);
  else stops.push(startProbe(startupProbe, parts, (good) => (good ? begin() : end())));
  return () => {
    isOver = true;
    for (const stop of stops.splice(0)) stop();
  };
}

/** In a group of its own: Ctrl-C is for the mesh, and what a container starts ends with it. */
function launch({ command, env, log, cwd }: ContainerParts): ChildProcess {
  const file = openSync(log, 'a', 0o600);
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', file, file], detached: true });
  closeSync(file);
  running.add(child);
  onceGone(child, () => running.delete(child));
  return child;
}

/** Also if it could not be started: then there is no `exit`. */
function onceGone(child: ChildProcess, then: (exitCode: number, reason: string) => void): void {
  let isTold = false;
  const tell = (exitCode: number, reason: string): void => {
    if (!isTold) then(exitCode, reason);
    isTold = true;
  };
  child.once('error', () => tell(128, 'StartError'));
  child.once('exit', (code, signal) => {
    const exitCode = code ?? (signal === 'SIGKILL' ? 137 : 143);
    tell(exitCode, exitCode === 0 ? 'Completed' : 'Error');
  });
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || hasEnded(child)) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

function time(): string {
  return timeOf(Date.now() / 1000);
}
