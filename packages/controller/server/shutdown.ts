import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** Has this process been told to leave? Written here, read by the server. */
export interface Drain {
  begun: boolean;
}

export interface ShutdownParts {
  readonly server: Server;
  readonly drain: Drain;
  readonly log: Logger;
  /** How long answers that are still owed may take. */
  readonly graceSeconds: number;
  /** `process`, in a real one. */
  readonly signals: { once(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown };
  readonly exit: (code: number) => void;
}

/** Milliseconds. Connections on which nothing is owed are looked for this often… */
const sweepInterval = 250;

/** …and one that has begun a request may take this long to finish its headers. */
const silence = 1000;

/**
 * On SIGTERM or SIGINT: no new connections, every request in flight gets its whole answer, then `exit(0)`; never
 * before, because Knative sends the signal while requests still run and their senders would see a broken connection.
 * `exit(1)` when the grace is over.
 */
export function drainOnSignals(parts: ShutdownParts): void {
  const sockets = new Set<Socket>();
  const owed = new Set<ServerResponse>();
  parts.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  parts.server.on('request', (_request, response) => {
    owed.add(response);
    response.once('close', () => owed.delete(response));
  });
  const leave = (): void => {
    if (parts.drain.begun) return;
    parts.drain.begun = true;
    drain(parts, sockets, owed);
  };
  parts.signals.once('SIGTERM', leave);
  parts.signals.once('SIGINT', leave);
}

function drain(
  { server, log, graceSeconds, exit }: ShutdownParts,
  sockets: Set<Socket>,
  owed: Set<ServerResponse>,
): void {
  const silentSince = performance.now();
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    // Node counts a connection that never said a word as busy, and no longer times it out once the server is closed.
    if (performance.now() - silentSince >= silence) closeSilent(sockets, owed);
  }, sweepInterval);
  const grace = setTimeout(() => {
    clearInterval(sweep);
    log.error({ owed: owed.size, graceSeconds }, 'leaving although answers are owed: the grace is over');
    exit(1);
  }, graceSeconds * 1000);
  server.close(() => {
    clearInterval(sweep);
    clearTimeout(grace);
    log.info('left: every answer is given');
    exit(0);
  });
  log.info({ owed: owed.size }, 'leaving: no new connections');
}

function closeSilent(sockets: Set<Socket>, owed: Set<ServerResponse>): void {
  const busy = new Set([...owed].map((response) => response.socket));
  for (const socket of sockets) {
    if (!busy.has(socket)) socket.destroy();
  }
}
