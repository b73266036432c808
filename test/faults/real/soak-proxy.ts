import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening, refusing } from './refusing.ts';

/** What the proxy sees of an event: its attributes as headers, in lower case, and its body. */
export interface Seen {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Stands between the source and the Broker: hands on what it gets as it is, and gives back what the Broker answers. */
export interface SoakProxy {
  readonly address: string;
  readonly counts: Readonly<Counts>;
  /** For this long the Broker answers 503 to everything. */
  beAway(ms: number): Promise<void>;
  /** For this long nobody listens there, and what was under way is cut off. */
  refuse(ms: number): Promise<void>;
  /** Answers 202 to the next event of this sort and keeps it for itself. */
  swallow(isIt: (event: Seen) => boolean): void;
  /** Milliseconds since something was under way last; 0 while something is. */
  quietMs(): number;
}

interface Counts {
  /** Events that the Broker took. */
  told: number;
  /** Of them those whose id it had taken before. */
  doubled: number;
  /** Tries that were answered otherwise, or not at all. */
  refused: number;
  swallowed: number;
}

export async function openSoakProxy(context: TestContext, broker: string): Promise<SoakProxy> {
  const counts: Counts = { told: 0, doubled: 0, refused: 0, swallowed: 0 };
  const ids = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  const state = { isAway: false, underWay: 0, last: performance.now() };
  let isWanted: ((event: Seen) => boolean) | undefined;

  const statusOf = async (incoming: IncomingMessage): Promise<Answered> => {
    const body = Buffer.concat(await incoming.toArray());
    const { headers } = incoming;
    if (state.isAway) return { status: 503 };
    if (isWanted?.({ headers, body }) === true) {
      isWanted = undefined;
      counts.swallowed += 1;
      return { status: 202 };
    }
    const answered = await handOn({ incoming, body, broker, agent });
    if (answered.status < 200 || answered.status >= 300) return answered;
    const id = String(headers['ce-id']);
    counts.told += 1;
    if (ids.has(id)) counts.doubled += 1;
    ids.add(id);
    return { ...answered, isTold: true };
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    state.underWay += 1;
    // One that was killed meanwhile: what it did not send to its end was not sent.
    const { status, message, isTold } = await statusOf(incoming).catch(() => ({ status: 502 }) as Answered);
    state.underWay -= 1;
    state.last = performance.now();
    if (status !== 202 && isTold !== true) counts.refused += 1;
    response.writeHead(status).end(message);
  };
  const server = createServer({ keepAliveTimeout: 100_000 }, (incoming, response) => void serve(incoming, response));
  await listening(server, 0);
  const { port } = server.address() as AddressInfo;
  context.after(() => {
    server.close().closeAllConnections();
    agent.destroy();
  });
  return {
    address: `http://127.0.0.1:${port}${new URL(broker).pathname}`,
    counts,
    beAway: async (ms) => {
      state.isAway = true;
      await sleep(ms);
      state.isAway = false;
    },
    refuse: (ms) => refusing(server, port, ms),
    swallow: (isIt) => {
      isWanted = isIt;
    },
    quietMs: () => (state.underWay > 0 ? 0 : performance.now() - state.last),
  };
}

interface Answered {
  readonly status: number;
  readonly message?: Buffer;
  readonly isTold?: boolean;
}

interface Handing {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly broker: string;
  readonly agent: Agent;
}

/** Rejects where the Broker does not answer. */
async function handOn({ incoming, body, broker, agent }: Handing): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(broker, { method: incoming.method, headers: incoming.rawHeaders, agent }, resolve);
  sent.on('error', reject);
  sent.end(body);
  const answer = await promise;
  return { status: answer.statusCode ?? 502, message: Buffer.concat(await answer.toArray()) };
}
