import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const backendPort = 8080;

/** Answers 204 at each of these addresses: one process, so that every contestant has the same backends. */
export function serveBackends(addresses: readonly string[]): void {
  for (const address of addresses) {
    const server = createServer((_, response) => response.writeHead(204).end());
    server.keepAliveTimeout = 600_000;
    server.listen(backendPort, address);
  }
}

/** Starts them in a process of their own, which is the bench with another argument. */
export async function startBackends(bench: string, addresses: readonly string[]): Promise<() => Promise<void>> {
  const command = [process.execPath, bench, 'be-backends', ...addresses];
  const child = spawn('setpriv', ['--pdeathsig=KILL', ...command], { stdio: ['ignore', 'ignore', 'inherit'] });
  for (const address of addresses) await untilListening(address);
  return async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
}

async function untilListening(host: string): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const socket = connect({ host, port: backendPort });
    const opened = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (opened) return;
    await sleep(20);
  }
  throw new Error(`nothing listens at ${host}`);
}
