import { connect } from 'node:net';

/** Milliseconds for one connection. */
const patience = 3000;

/** Opens a TCP connection and closes it; resolves with the reason if it cannot, with undefined if it can. Never rejects. */
export function reach(host: string, port: number, timeoutMs = patience): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port, timeout: timeoutMs });
  const end = (why: string | undefined): void => {
    resolve(why);
    socket.destroy();
  };
  socket.on('connect', () => end(undefined));
  socket.on('timeout', () => end(`no answer within ${timeoutMs / 1000} s`));
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  return promise;
}
