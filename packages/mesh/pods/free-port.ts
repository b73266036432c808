import { once } from 'node:events';
import { createServer } from 'node:net';

/** Resolves with a port of 127.0.0.1 that nobody listens at: this one, or any other if it is taken. */
export async function freePort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    return port;
  } catch {
    return freePort(0);
  } finally {
    server.close();
  }
}
