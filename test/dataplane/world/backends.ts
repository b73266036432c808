import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceType } from './objects.ts';

/** A backend that answers every request with its name, and counts. */
export interface BackendServer {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** How many asked so far. */
  seen(): number;
  /** How many tcp connections it has open, of http too. */
  open(): number;
  /** It answers after this many milliseconds from now on; `held`: not before it is released. */
  answers(when: number | 'held'): void;
  release(): void;
  /** As a Pod that ends: nobody listens any more, and what is open breaks. */
  stop(): Promise<void>;
}

/** When a backend answers. */
interface Turn {
  count: number;
  when: number | 'held';
  readonly waiting: (() => void)[];
}

export interface BackendPlace {
  readonly name: string;
  readonly address: string;
  readonly port?: number;
}

/** Starts one that speaks what the service type says, until the test ends. */
export async function startBackend(
  context: Pick<TestContext, 'after'>,
  type: ServiceType,
  { name, address, port = 8080 }: BackendPlace,
): Promise<BackendServer> {
  const turn: Turn = { count: 0, when: 0, waiting: [] };
  const start = { http: startHttp, tcp: startTcp, udp: startUdp }[type];
  const { stop, open } = await start(turn, { name, address, port });
  context.after(stop);
  return {
    name,
    address,
    port,
    stop,
    open,
    seen: () => turn.count,
    answers: (when) => {
      turn.when = when;
    },
    release: () => {
      turn.when = 0;
      for (const go of turn.waiting.splice(0)) go();
    },
  };
}

async function wait(turn: Turn): Promise<void> {
  turn.count += 1;
  const { when, waiting } = turn;
  if (when === 'held') return new Promise((resolve) => void waiting.push(resolve));
  if (when > 0) await sleep(when);
}

type Start = (
  turn: Turn,
  place: Required<BackendPlace>,
) => Promise<Pick<BackendServer, 'open'> & { stop: () => Promise<void> }>;

const startHttp: Start = async (turn, { name, address, port }) => {
  const server = createHttp((request, response) => {
    request.resume();
    void wait(turn).then(() => response.end(name));
  });
  server.keepAliveTimeout = 600_000;
  return listening(server, { address, port });
};

/** Says its name, and then gives back whatever it is sent. */
const startTcp: Start = async (turn, { name, address, port }) => {
  const server = createTcp((socket) => {
    socket.on('error', () => socket.destroy());
    void wait(turn).then(() => {
      socket.write(`${name}\n`);
      socket.pipe(socket);
    });
  });
  return listening(server, { address, port });
};

async function listening(server: Server, { address, port }: { address: string; port: number }) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, address);
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { stop, open: () => sockets.size };
}

const startUdp: Start = async (turn, { name, address, port }) => {
  const socket = createSocket('udp4');
  let open = true;
  socket.on('message', (_, { port: from, address: to }) => {
    void wait(turn).then(() => open && socket.send(name, from, to));
  });
  socket.bind(port, address);
  await once(socket, 'listening');
  const stop = async (): Promise<void> => {
    if (!open) return;
    open = false;
    socket.close();
    await once(socket, 'close');
  };
  return { stop, open: () => 0 };
};
