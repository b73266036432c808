import type { Server as PlainServer } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';

/** The first byte of a connection with TLS: a handshake. */
const handshake = 0x16;

/**
 * One port for both: the first byte of a connection decides which server answers. Without a secure server a connection with TLS
 * is ended. `closeAll` ends every connection.
 */
export function eitherWay(
  plain: PlainServer,
  secure: SecureServer | undefined,
): { server: Server; closeAll: () => void } {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('readable', () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.unshift(first);
      const answering = first[0] === handshake ? secure : plain;
      if (answering === undefined) socket.destroy();
      else answering.emit('connection', socket);
    });
  });
  return { server, closeAll: () => open.forEach((socket) => void socket.destroy()) };
}
