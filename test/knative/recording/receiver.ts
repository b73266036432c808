import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { place } from '../../../tools/control-plane/node/place.ts';
import { until } from '../../kube/until.ts';

/** Where all is refused. */
export const refusing = '/refusing';

/** Always the same, since a dead letter names it. */
const port = 19000;

/** Where Knative reaches what is recorded with. */
export const receiverUrl = `http://${place.host}:${String(port)}`;

/** A request as it came. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Receiver {
  readonly received: readonly Received[];
  /** Waits for one that is meant, and gives the first. */
  came(what: string, isMeant: (one: Received) => boolean): Promise<Received>;
  close(): void;
}

/** Keeps what comes. What is refused gets the status that its name says, `t500`, and a question gets an event. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { url = '/', headers } = request;
    const body = await text(request);
    received.push({
      path: url,
      headers: plain(headers),
      body: body === '' ? undefined : (JSON.parse(body) as unknown),
    });
    const status = String(headers['ce-name']).slice(1);
    if (url === refusing) response.writeHead(Number(status)).end(`function says ${status}`);
    else if (headers['ce-type'] === 'fn.asked') response.writeHead(200, reply()).end(JSON.stringify({ reply: true }));
    else response.writeHead(202).end();
  }).listen(port, place.host);
  await once(server, 'listening');
  return {
    received,
    came: async (what, isMeant) => {
      let found: Received | undefined;
      const isThere = async (): Promise<boolean> => {
        found = received.find(isMeant);
        return found !== undefined;
      };
      await until(`${what} comes`, isThere, 45);
      if (found === undefined) throw new Error(`${what} did not come`);
      return found;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function plain(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function reply(): Readonly<Record<string, string>> {
  return {
    'ce-specversion': '1.0',
    'ce-id': `reply-${randomUUID()}`,
    'ce-source': '/fn/reply',
    'ce-type': 'fn.reply',
    'content-type': 'application/json',
  };
}
