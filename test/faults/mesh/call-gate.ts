import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../kube/until.ts';

/** Where a call is held: before the API server sees it, or when it has carried it out and nobody knows yet. */
export type Side = 'before' | 'after';

export interface Place {
  /** Whose call: the Knative Service, which may serve several functions. */
  readonly service: string | 'any';
  readonly nth: number;
  readonly of: 'calls' | 'writes';
  readonly side: Side;
}

export interface HeldCall {
  readonly service: string;
  /** `PATCH /api/v1/…`, without the query. */
  readonly call: string;
  /** Its answer never comes: the connection is broken off. */
  drop(): void;
}

/**
 * Stands between every function and the API server, so that a test can stop a function at one call to the API server
 * and kill it there: a function that waits for an answer is in mid-flight for certain.
 */
export interface CallGate {
  /** The address of the API server for the functions of one Service. */
  readonly urls: ReadonlyMap<string, string>;
  /** Where the API server is from now on; calls wait until it is known. */
  lead(apiServer: string | undefined): void;
  /** Holds the nth call that fits from now on. */
  hold(place: Place): { readonly held: Promise<HeldCall>; cancel(): void };
  /** Every call of any function that asked for a change: `PATCH /api/v1/…`. */
  readonly writes: readonly string[];
  close(): void;
}

interface Waiting extends Place {
  left: number;
  readonly take: (call: HeldCall) => void;
}

interface State {
  target: string | undefined;
  readonly waiting: Set<Waiting>;
  readonly writes: string[];
}

const agent = new Agent({ keepAlive: true });

export async function openCallGate(services: readonly string[]): Promise<CallGate> {
  const state: State = { target: undefined, waiting: new Set(), writes: [] };
  const servers = await Promise.all(services.map((service) => listen(service, state)));
  const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urls: new Map(servers.map((server, index) => [services[index] ?? '', addressOf(server)])),
    lead: (apiServer) => {
      state.target = apiServer;
    },
    hold: (place) => {
      const { promise, resolve } = Promise.withResolvers<HeldCall>();
      const waiting = { ...place, left: place.nth, take: resolve };
      state.waiting.add(waiting);
      return { held: promise, cancel: () => void state.waiting.delete(waiting) };
    },
    writes: state.writes,
    close: () => {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
}

async function listen(service: string, state: State): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 100_000 }, (incoming, response) => {
    pass(incoming, response, { service, state }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  { service, state }: { readonly service: string; readonly state: State },
): Promise<void> {
  const body = await bytesOf(incoming);
  const due = countDown({ service, isWrite: incoming.method !== 'GET' }, state);
  const call = `${incoming.method ?? ''} ${(incoming.url ?? '').split('?')[0] ?? ''}`;
  if (incoming.method !== 'GET') state.writes.push(call);
  const hold = ({ take }: Waiting): void => take({ service, call, drop: () => void response.destroy() });
  if (due?.side === 'before') return hold(due);
  await until('the API server is up', async () => state.target !== undefined, 120);
  const { status, headers, bytes } = await forward(incoming, `${state.target ?? ''}${incoming.url ?? ''}`, body);
  if (due?.side === 'after') return hold(due);
  response.writeHead(status, headers).end(bytes);
}

/** One call may count for several that wait; it is held for the first. */
function countDown(
  { service, isWrite }: { readonly service: string; readonly isWrite: boolean },
  { waiting }: State,
): Waiting | undefined {
  let due: Waiting | undefined;
  for (const one of waiting) {
    if ((one.service !== 'any' && one.service !== service) || (one.of === 'writes' && !isWrite)) continue;
    one.left -= 1;
    if (one.left > 0 || due !== undefined) continue;
    due = one;
    waiting.delete(one);
  }
  return due;
}

function forward(
  { method, headers: { host: _, ...headers } }: IncomingMessage,
  url: string,
  body: Buffer,
): Promise<{ status: number; headers: IncomingMessage['headers']; bytes: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof forward>>>();
  const sent = request(url, { method: method ?? 'GET', headers, agent }, (answer) => {
    bytesOf(answer).then((bytes) => {
      const { 'transfer-encoding': __, ...kept } = answer.headers;
      resolve({ status: answer.statusCode ?? 0, headers: kept, bytes });
    }, reject);
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
