import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** A program that runs, and what it has said so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly said: () => string;
}

/** Long enough for a loaded machine; nothing here waits that long when all is well. */
const longest = 30_000;

/** A new folder that goes away with the test. */
export function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-dataplane-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program to its end; `input` is what it reads from stdin. */
export async function finish(command: string, args: readonly string[], input = ''): Promise<Finished> {
  const child = spawn(command, args, { stdio: 'pipe', timeout: longest, killSignal: 'SIGKILL' });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.on('error', () => {
    // It ended without reading everything: its exit code says why.
  });
  child.stdin.end(input);
  await once(child, 'close');
  return { code: child.exitCode, output: Buffer.concat(chunks).toString() };
}

/** Starts a program that runs until the test ends. */
export function start(context: TestContext, command: string, args: readonly string[]): Running {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  context.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  return { child, said: () => output };
}

/** Asks until the answer is yes; fails with what the programs said. */
export async function until(
  what: string,
  ask: () => boolean | Promise<boolean>,
  programs: readonly Running[],
): Promise<void> {
  const deadline = Date.now() + longest;
  while (!(await ask())) {
    if (Date.now() > deadline) {
      throw new Error(
        `not within ${String(longest / 1000)} s: ${what}\n${programs.map(({ said }) => said()).join('\n---\n')}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** Status and body of one request; status 0 where nobody answers. `socket` names an abstract Unix socket. */
export async function ask(
  to: { readonly port?: number; readonly socket?: string },
  path: string,
  options: { readonly method?: string; readonly host?: string } = {},
): Promise<{ readonly status: number; readonly body: string }> {
  const target = to.socket === undefined ? { host: '127.0.0.1', port: to.port } : { socketPath: `\0${to.socket}` };
  return new Promise((resolve) => {
    const headers = { host: options.host ?? 'localhost' };
    const sent = request(
      { ...target, path, method: options.method ?? 'GET', headers, agent: false, timeout: 5000 },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          body += chunk;
        });
        answer.on('close', () => resolve({ status: answer.statusCode ?? 0, body }));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve({ status: 0, body: '' }));
    sent.end();
  });
}
