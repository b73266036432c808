import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';

/** Listens on a free port of this machine alone. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Stops listening and waits until every connection is gone. */
export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}

export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Everything that comes on this connection until it is closed, or until `enough` is in it; at most 5 s. */
export async function received(socket: Socket, enough?: string): Promise<string> {
  let text = '';
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, 5000);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (enough !== undefined && text.includes(enough)) resolve();
  });
  socket.once('close', () => resolve());
  await promise;
  clearTimeout(timer);
  return text;
}

/** Opens a connection, writes this, and gives what comes back. */
export async function exchange(port: number, text: string | Buffer, enough?: string): Promise<string> {
  const socket = await open(port);
  socket.write(text);
  const answer = await received(socket, enough);
  socket.destroy();
  return answer;
}

/** Waits until something is true, at most 5 s. */
export async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error('this did not become true within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
