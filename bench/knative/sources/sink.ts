import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { place } from '../../../tools/control-plane/node/place.ts';
import { namespace } from './ground.ts';

/** An event of a Message of the bench. */
export interface Told {
  /** When it came, by `performance.now()`. */
  readonly at: number;
  readonly id: string;
  readonly verb: string;
  readonly name: string;
  readonly uid: string;
  readonly version: string;
}

/** Where all events end: this process. */
export interface Sink {
  readonly uri: string;
  /** The same, where each event is answered late, as by a Broker that is slow. */
  readonly slowUri: string;
  /** What was told since it last forgot, in the order in which it came. */
  all(): readonly Told[];
  forget(): void;
  /** When the last of these names was told of with this verb; from this call on. */
  whenTold(verb: string, names: readonly string[], longestMs?: number): Promise<number>;
  /** Waits until nothing has come for so long. */
  untilQuiet(ms: number): Promise<void>;
  close(): void;
}

/** So late. */
export const slowMs = 50;

const slowPath = '/slow';

/** Starts a server that takes every event with 200 at once, where the node's Pods reach it. */
export async function openSink(): Promise<Sink> {
  let all: Told[] = [];
  let lastAt = performance.now();
  const waiting = new Set<(told: Told) => void>();
  const takes = (told: Told): void => {
    all.push(told);
    lastAt = told.at;
    for (const each of waiting) each(told);
  };
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const body = await buffer(request);
    if (request.url === slowPath) setTimeout(() => response.writeHead(200).end(), slowMs);
    else response.writeHead(200).end();
    const told = toldBy(request.headers, body);
    if (told !== undefined) takes({ ...told, at });
  });
  // A connection that this process ends while an event is on its way would lose that event for either source.
  server.keepAliveTimeout = 600_000;
  server.listen(0, place.host);
  await once(server, 'listening');
  const uri = `http://${place.host}:${String((server.address() as AddressInfo).port)}`;
  return {
    uri,
    slowUri: `${uri}${slowPath}`,
    all: () => all,
    forget: () => {
      all = [];
    },
    whenTold: (verb, names, longestMs = 120_000) => whenTold(waiting, { verb, names, longestMs }),
    untilQuiet: async (ms) => {
      while (performance.now() - lastAt < ms) await sleep(100);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Nothing of what is no Message of the bench. */
function toldBy(headers: IncomingHttpHeaders, body: Buffer): Omit<Told, 'at'> | undefined {
  const of = (name: string): string => String(headers[`ce-${name}`] ?? '');
  if (of('kind') !== 'Message' || of('namespace') !== namespace) return undefined;
  const { metadata } = JSON.parse(body.toString('utf8')) as {
    readonly metadata: { readonly uid?: string; readonly resourceVersion?: string };
  };
  const { uid = '', resourceVersion: version = '' } = metadata;
  return { id: of('id'), verb: of('type').split('.').at(-1) ?? '', name: of('name'), uid, version };
}

interface Wish {
  readonly verb: string;
  readonly names: readonly string[];
  readonly longestMs: number;
}

async function whenTold(waiting: Set<(told: Told) => void>, { verb, names, longestMs }: Wish): Promise<number> {
  const left = new Set(names);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const look = (told: Told): void => {
    if (told.verb === verb && left.delete(told.name) && left.size === 0) resolve(told.at);
  };
  const late = (): void =>
    reject(
      new Error(`${verb} of ${String(left.size)} of ${String(names.length)} not told after ${String(longestMs)} ms`),
    );
  const timer = setTimeout(late, longestMs);
  waiting.add(look);
  return promise.finally(() => {
    clearTimeout(timer);
    waiting.delete(look);
  });
}
