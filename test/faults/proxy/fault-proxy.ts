import '../../../resources/managed/kinds.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type DescribedCall,
  describeCall,
  withCreatedName,
} from '../../../packages/controller/testing/calls/describe-call.ts';
import { createMatcher } from '../../../packages/controller/testing/calls/match-faults.ts';
import { parsed } from '../../../packages/controller/testing/calls/spoilt-answer.ts';
import type { Fault, Meddling } from '../../../packages/controller/testing/fault.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import { handleCall } from './handle-call.ts';
import { createPast, type Past } from './past.ts';
import type { Upstream } from './upstream.ts';

export interface ProxyOptions {
  readonly upstream: Upstream;
  readonly faults: readonly Fault[];
  /** Writes as somebody else does, at the moment of that call. */
  readonly meddle: (how: Meddling, call: DescribedCall) => Promise<void>;
  /** If absent, what it sees itself. */
  readonly past?: Past;
  /** Numbers everything that happens in a run. */
  readonly tick: () => number;
  /** The invocation that an instance is busy with; if absent, the number of the instance. */
  readonly runOf?: (instance: number) => number;
  /**
   * Called with each call when the server has answered it, before the instance hears of it.
   * `served` is later than `at` where the instance had given up.
   */
  readonly onDone?: (call: Omit<TracedCall, 'seen'>, served: number) => void;
  /** Called at once when a fault has ended an instance. */
  readonly onCrash?: (instance: number) => void;
}

/** An API server that fails as a plan says, for any number of instances of functions. */
export interface FaultProxy {
  /** The address for one instance: plain HTTP on loopback. */
  urlOf(instance: number): string;
  /** Every call so far, in the order of their endings. */
  readonly calls: readonly TracedCall[];
  /** Calls that have not ended: also those that nobody waits for any more, and the server has still to begin with. */
  underWay(): number;
  /** What went wrong in the proxy itself: a run that has any proves nothing. */
  readonly problems: readonly string[];
  /** From now on nothing an instance does reaches anybody, and its connections are cut. */
  kill(instance: number): void;
  isDead(instance: number): boolean;
  /** From now on calls count, and faults hit. */
  arm(): void;
  /** No fault hits anything any more; dead instances stay dead. */
  lift(): void;
  missed(): readonly Fault[];
  close(): Promise<void>;
}

/** Starts the proxy on a port of its own. */
export async function startFaultProxy(options: ProxyOptions): Promise<FaultProxy> {
  const matcher = createMatcher(options.faults);
  const calls: TracedCall[] = [];
  const problems: string[] = [];
  const dead = new Set<number>();
  const sockets = new Map<number, Set<Socket>>();
  const {
    past = createPast(),
    runOf = (instance) => instance,
    onCrash = () => undefined,
    onDone = () => undefined,
  } = options;

  const kill = (instance: number): void => {
    if (dead.has(instance)) return;
    dead.add(instance);
    for (const socket of sockets.get(instance) ?? []) socket.resetAndDestroy();
    onCrash(instance);
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { instance, path, query } = addressOf(request.url ?? '');
    remember(sockets, instance, request.socket);
    if (dead.has(instance)) return void request.socket.resetAndDestroy();
    const body = await text(request);
    const line = { method: request.method ?? '', path, query, contentType: request.headers['content-type'] };
    const json = parsed(body);
    const call = withCreatedName(describeCall(line), json);
    const faults = matcher.next(call);
    const from = { instance, run: runOf(instance), isDead: () => dead.has(instance), kill: () => kill(instance) };
    const full = `${path}${query.size > 0 ? `?${String(query)}` : ''}`;
    const asked = { request, response, path: full, body, json, query, call };
    await handleCall(asked, { ...options, faults, past, from, onDone, record: (traced) => void calls.push(traced) });
  };
  let underWay = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    underWay += 1;
    const taken = take(request, response).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      if (!request.socket.destroyed) problems.push(`${request.method ?? ''} ${request.url ?? ''}: ${why}`);
      request.socket.destroy();
    });
    void taken.finally(() => {
      underWay -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (instance) => `http://127.0.0.1:${String(port)}/${String(instance)}`,
    calls,
    underWay: () => underWay,
    problems,
    kill,
    isDead: (instance) => dead.has(instance),
    arm: matcher.arm,
    lift: matcher.lift,
    missed: matcher.missed,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** `/<instance>/<path of the API server>`. */
function addressOf(url: string): { readonly instance: number; readonly path: string; readonly query: URLSearchParams } {
  const { pathname, searchParams } = new URL(url, 'http://proxy');
  const [, instance = '', ...rest] = pathname.split('/');
  if (!/^\d+$/.test(instance)) throw new Error(`${pathname} does not begin with the number of an instance`);
  return { instance: Number(instance), path: `/${rest.join('/')}`, query: searchParams };
}

function remember(sockets: Map<number, Set<Socket>>, instance: number, socket: Socket): void {
  const own = sockets.get(instance) ?? new Set<Socket>();
  sockets.set(instance, own);
  if (own.has(socket)) return;
  own.add(socket);
  socket.setNoDelay(true);
  socket.once('close', () => own.delete(socket));
}
