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

/** The sink of all events: this process. */
export interface Sink {
  readonly uri: string;
  /** The same, with late answers, as a slow Broker has. */
  readonly slowUri: string;
  /** The events since it last forgot, in the order in which they came. */
  all(): readonly Told[];
  forget(): void;
  /** Resolves when events with this verb have come for all of these names, from this call on, with the time of the last. */
  whenTold(verb: string, names: readonly string[], longestMs?: number): Promise<number>;
  /** Waits until no event has come for this many milliseconds. */
  untilQuiet(ms: number): Promise<void>;
  close(): void;
}

/** Milliseconds before a late answer. */
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
  // If this process ended a connection while an event is on its way, either source would lose that event.
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

/** Undefined for an event of anything but a Message of the bench. */
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
      new Error(
        `${verb} of ${String(left.size)} of ${String(names.length)} not reported after ${String(longestMs)} ms`,
      ),
    );
  const timer = setTimeout(late, longestMs);
  waiting.add(look);
  return promise.finally(() => {
    clearTimeout(timer);
    waiting.delete(look);
  });
}
