import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort, untilListening } from '../../packages/image/cache/listening.ts';

/** What the registry wants to hear, as Docker keeps it. */
export const secret = Buffer.from('somebody:their password').toString('base64');

/** A real registry, that of crane, and before it somebody who asks for a password. */
export async function startRegistry(crane: string): Promise<{ readonly front: string; readonly stop: () => void }> {
  const port = await freePort();
  const registry = spawn(crane, ['registry', 'serve', '--address', `127.0.0.1:${String(port)}`], { stdio: 'ignore' });
  await untilListening(port);
  const door = createServer((request, response) => {
    if (request.headers.authorization !== `Basic ${secret}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end();
      return;
    }
    passOn(port, request, response);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const { port: front } = door.address() as AddressInfo;
  const stop = (): void => {
    registry.kill('SIGKILL');
    door.close();
    door.closeAllConnections();
  };
  return { front: `127.0.0.1:${String(front)}`, stop };
}

function passOn(port: number, request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request;
  const sent = httpRequest({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  request.pipe(sent);
}
