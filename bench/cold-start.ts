import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { cpuMsOf } from './cpu.ts';

export interface Start {
  /** The arguments after `node`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly preload: string;
  readonly request: Buffer;
}

export interface Started {
  /** Milliseconds until the whole first answer was there. */
  readonly wall: number;
  /** Milliseconds of CPU that the process had used by then. */
  readonly cpu: number;
  /** The first answer as text. */
  readonly answer: string;
}

/**
 * Starts a server and measures until it has answered its first request. The bench opens the connection and hands it over
 * as file descriptor 3 with the request in it, so that no client has to try again and again whether the server listens already.
 * Throws if no answer comes within 20 s.
 */
export async function coldStart({ args, env, preload, request }: Start): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--require', preload, ...args], {
    env: { ...env, PORT: '0', BENCH_CONNECTION: '3' },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const exited = once(child, 'exit');
  try {
    const connection = child.stdio[3] as Duplex;
    connection.write(request);
    const answer = await answerOn(connection);
    const wall = performance.now() - began;
    return { wall, cpu: cpuMsOf(child.pid ?? 0), answer };
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

/** Every contestant answers without a body. */
function answerOn(connection: Duplex): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const timer = setTimeout(() => reject(new Error(`no answer within 20 s; so far: ${JSON.stringify(answer)}`)), 20_000);
  connection.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    if (answer.includes('\r\n\r\n')) resolve(answer);
  });
  connection.on('error', reject);
  connection.on('close', () => reject(new Error('the server has closed its connection without an answer')));
  return promise.finally(() => clearTimeout(timer));
}
