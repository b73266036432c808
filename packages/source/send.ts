import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { getCACertificates } from 'node:tls';
import { post } from '../controller/broker/post.ts';
import { encodeHeaderValue } from '../controller/wire/encode.ts';
import type { SourceEvent } from './event-of.ts';
import type { Parcel } from './parcel.ts';

/** Where events go. */
export interface SendOptions {
  /** The address of the Broker's ingress. */
  readonly sink: string;
  /** PEM of a CA that is trusted besides the usual ones; empty: none. */
  readonly ca: string;
  /** The file of the token for the sink, if there is one; read for each event, because it is renewed. */
  readonly tokenFile: string;
  readonly timeoutMs: number;
  /** The most connections. */
  readonly most: number;
  /** Gets the reason why an event was not taken. */
  readonly refused: (why: string) => void;
}

/**
 * `send` hands one event to the sink, once, and gives whether it was taken; it never rejects. `close` ends its connections. Throws if
 * the sink is not an address.
 */
export function createSend({ sink, ca, tokenFile, timeoutMs, most, refused }: SendOptions) {
  const url = new URL(sink);
  const connections = { keepAlive: true, maxSockets: most, scheduling: 'lifo' } as const;
  const trusted = ca === '' ? {} : { ca: [...getCACertificates('default'), ca] };
  const agent = url.protocol === 'https:' ? new HttpsAgent({ ...connections, ...trusted }) : new HttpAgent(connections);
  return {
    send: async ({ event }: Parcel): Promise<boolean> => {
      const token = tokenIn(tokenFile);
      const headers = { ...headersOf(event), ...(token !== undefined && { authorization: `Bearer ${token}` }) };
      const posted = await post({ url, event: { headers, body: event.data }, agent, timeoutMs });
      if (posted.kind === 'answered' && posted.status >= 200 && posted.status < 300) return true;
      refused(reasonOf(posted));
      return false;
    },
    close: () => agent.destroy(),
  };
}

/** The headers in binary mode. */
function headersOf({ attributes, contentType, headers }: SourceEvent): Readonly<Record<string, string>> {
  const own = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeHeaderValue(value)]);
  return { ...headers, 'content-type': contentType, ...Object.fromEntries(own) };
}

/** Undefined if there is no file: then the sink asks for no token, or refuses the event itself. */
function tokenIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function reasonOf(posted: Awaited<ReturnType<typeof post>>): string {
  switch (posted.kind) {
    case 'answered':
      return `the sink answered ${String(posted.status)}`;
    case 'timed-out':
      return 'the sink did not answer in time';
    case 'broken':
      return `the sink cannot be reached: ${posted.cause.message}`;
  }
}
