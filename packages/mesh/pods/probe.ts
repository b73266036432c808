import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { ContainerSpec, Probe } from './pod-spec.ts';

/** Where a container is probed. */
export interface ProbedAt {
  readonly address: string;
  readonly ports: ContainerSpec['ports'];
  /** Makes the command of a probe one for this machine. */
  readonly localise: (text: string) => string;
  readonly env: Readonly<Record<string, string>>;
}

/** Milliseconds between two looks at what is not ready yet, if its period is longer: a person waits for it. */
const eagerMs = 500;

/** Probes until it is stopped; says each time whether enough looks in a row were good, or bad. Returns the way to stop it. */
export function startProbe(probe: Probe, at: ProbedAt, say: (good: boolean) => void): () => void {
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3, successThreshold = 1 } = probe;
  let [good, bad, isGood, hasEnded] = [0, 0, false, false];
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    const found = await looksGood(probe, at);
    if (hasEnded) return;
    [good, bad] = found ? [good + 1, 0] : [0, bad + 1];
    if (good >= successThreshold) isGood = true;
    if (bad >= failureThreshold) isGood = false;
    if (good >= successThreshold || bad >= failureThreshold) say(isGood);
    if (hasEnded) return;
    timer = setTimeout(look, isGood ? periodSeconds * 1000 : Math.min(periodSeconds * 1000, eagerMs));
  };
  timer = setTimeout(look, initialDelaySeconds * 1000 + eagerMs / 5);
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

function looksGood({ httpGet, tcpSocket, exec, timeoutSeconds = 1 }: Probe, at: ProbedAt): Promise<boolean> {
  const timeout = timeoutSeconds * 1000;
  if (exec !== undefined) return runs(exec.command, at, timeout);
  const { port, path = '/' } = httpGet ?? { port: tcpSocket?.port ?? 0 };
  const number = typeof port === 'number' ? port : at.ports?.find(({ name }) => name === port)?.containerPort;
  if (number === undefined) return Promise.resolve(false);
  const to = { host: at.address, port: number, timeout };
  return httpGet === undefined ? opens(to) : answers({ ...to, path });
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly timeout: number;
}

function answers(to: Target & { readonly path: string }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = request({ ...to, agent: false }, (answer) => {
    const { statusCode = 0 } = answer;
    answer.resume();
    resolve(statusCode >= 200 && statusCode < 400);
  });
  asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
  asked.on('error', () => resolve(false));
  asked.end();
  return promise;
}

function opens(to: Target): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(to, () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('timeout', () => socket.destroy(new Error('no answer in time')));
  socket.on('error', () => resolve(false));
  return promise;
}

function runs(command: readonly string[], { localise, env }: ProbedAt, timeout: number): Promise<boolean> {
  const [program = '', ...args] = command.map(localise);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  execFile(program, args, { timeout, env }, (error) => resolve(error === null));
  return promise;
}
