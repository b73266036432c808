import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, untilListening } from '../packages/image/cache/listening.ts';

export interface Running {
  readonly pid: number;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts a server that stays, without its log, and waits until it listens. */
export async function startServer(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    env: { ...env, PORT: String(port), NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilListening(port);
  return { pid: child.pid ?? 0, port, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
