import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kube/until.ts';
import { fateOf, type Shares } from './fate.ts';

/** The way from the senders of events to the Broker, which takes every event and delivers as a seed decides. */
export interface LossyWay {
  readonly url: string;
  /** Where the Broker is: events wait until it is known. */
  lead(broker: string): void;
  /** What happens from now on; without shares nothing does. */
  spoil(shares: Shares | undefined): void;
  /** `spoilt`: those that came while there were shares. */
  readonly counts: { taken: number; spoilt: number; lost: number; doubled: number; overtaken: number; refused: number };
  close(): void;
}

interface Way {
  readonly seed: number;
  broker: string | undefined;
  shares: Shares | undefined;
  /** How many events there were about each thing. */
  readonly seen: Map<string, number>;
  /** The highest number of an event that has gone on: a lower one after it was overtaken. */
  newest: number;
  readonly counts: LossyWay['counts'];
}

export async function openLossyWay(seed: number): Promise<LossyWay> {
  const counts = { taken: 0, spoilt: 0, lost: 0, doubled: 0, overtaken: 0, refused: 0 };
  const way: Way = { seed, broker: undefined, shares: undefined, seen: new Map(), newest: 0, counts };
  const server = await listen(way);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    lead: (broker) => {
      way.broker = broker;
    },
    spoil: (shares) => {
      way.shares = shares;
    },
    counts,
    close: () => void server.close().closeAllConnections(),
  };
}

async function listen(way: Way): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 100_000 }, (incoming, response) => {
    take(incoming, response, way).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Each sender gets a success at once, whatever comes of the event: so no sender tries again. */
async function take(incoming: IncomingMessage, response: ServerResponse, way: Way): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { counts, seed, shares, seen } = way;
  const about = aboutOf(incoming);
  const nth = (seen.get(about) ?? 0) + 1;
  seen.set(about, nth);
  counts.taken += 1;
  const number = counts.taken;
  if (shares !== undefined) counts.spoilt += 1;
  const { copies } = shares === undefined ? { copies: [0] } : fateOf(seed, { about, nth }, shares);
  if (copies.length === 0) counts.lost += 1;
  if (copies.length > 1) counts.doubled += 1;
  response.writeHead(202).end();
  const event = { headers: headersOf(incoming), body: Buffer.concat(chunks), number };
  await Promise.all(copies.map((ms) => goOn(event, ms, way)));
}

interface Event {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly number: number;
}

async function goOn({ headers, body, number }: Event, ms: number, way: Way): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { ref: false });
  await until('the Broker is up', async () => way.broker !== undefined, 60);
  if (number < way.newest) way.counts.overtaken += 1;
  way.newest = Math.max(way.newest, number);
  // What the way does not lose it brings, as a source would: a connection that has just been closed is no loss.
  await until(
    'the Broker takes an event',
    async () => {
      const sent = await fetch(way.broker ?? '', { method: 'POST', headers, body: new Uint8Array(body) });
      await sent.arrayBuffer();
      return sent.status === 202 || sent.status;
    },
    60,
  ).catch(() => {
    way.counts.refused += 1;
  });
}

function aboutOf({ headers }: IncomingMessage): string {
  return ['ce-type', 'ce-kind', 'ce-namespace', 'ce-name'].map((name) => String(headers[name] ?? '')).join(' ');
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) => /^(ce-|kn-|content-type$)/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
