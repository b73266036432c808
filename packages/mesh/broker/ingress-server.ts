import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asKnudgeError, type KnudgeError } from '../../controller/domain/errors.ts';
import { refuseForeign } from '../../controller/domain/refuse-foreign.ts';
import { readBody } from '../../controller/server/body.ts';
import type { IngressAnswer } from './accepting.ts';
import { eventOf } from './http-event.ts';
import type { Broker } from './ingress.ts';

export interface IngressServer {
  /** `http://127.0.0.1:<port>`; a Broker is at `/<namespace>/<name>`. */
  readonly url: string;
  /** Takes no more requests; resolves when those under way are answered. */
  close(): Promise<void>;
}

export interface IngressOptions {
  /** 0: any. */
  readonly port: number;
  readonly limitBytes?: number;
  /** Existing Brokers, `<namespace>/<name>`: one of them that is not served yet is not ready. */
  readonly known?: ReadonlySet<string>;
}

/** A ConfigMap of 900 kB passes the real ingress; nothing of the API server is larger than a few megabytes. */
const usualLimitBytes = 8 * 1024 * 1024;

/** Serves the ingress of these Brokers, keyed `<namespace>/<name>`, on loopback. Rejects if the port is taken. */
export async function serveIngress(
  brokers: ReadonlyMap<string, Pick<Broker, 'ingress'>>,
  { port, limitBytes = usualLimitBytes, known = new Set() }: IngressOptions,
): Promise<IngressServer> {
  const server = createServer((request, response) => {
    void answer(request, { brokers, limitBytes, known }).then((said) => respond(response, said));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listening}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

interface Serving {
  readonly brokers: ReadonlyMap<string, Pick<Broker, 'ingress'>>;
  readonly limitBytes: number;
  readonly known: ReadonlySet<string>;
}

async function answer(request: IncomingMessage, { brokers, limitBytes, known }: Serving): Promise<IngressAnswer> {
  const foreign = refuseForeign(request);
  if (foreign !== undefined) return discard(request, foreign);
  if (request.method === 'OPTIONS') return discard(request, { status: 200 });
  if (request.method !== 'POST') return discard(request, { status: 405, message: 'POST an event' });
  // With the query, which the real ingress takes for a part of the name.
  const path = (request.url ?? '/').replace(/\/$/, '');
  if (path === '') return discard(request, { status: 404, message: 'a Broker is at /<namespace>/<name>' });
  if (path.split('/').length !== 3) return discard(request, { status: 400, message: 'the path names no Broker' });
  try {
    const event = eventOf({ headers: request.headers, body: await readBody(request, limitBytes) });
    const name = path.slice(1);
    return await (brokers.get(name)?.ingress(event) ?? noBroker(name, known));
  } catch (thrown) {
    return refusal(asKnudgeError(thrown), limitBytes);
  }
}

function discard(request: IncomingMessage, said: IngressAnswer): IngressAnswer {
  request.resume();
  return said;
}

/** The real ingress answers 400 to everything that is not an event. */
function refusal({ code, message }: KnudgeError, limitBytes: number): IngressAnswer {
  if (code === 'internal') return { status: 500, message: 'the ingress failed' };
  return code === 'too-large'
    ? { status: 413, message: `the event is larger than ${limitBytes} bytes` }
    : { status: 400, message };
}

function respond(response: ServerResponse, { status, message }: IngressAnswer): void {
  response.setHeader('allow', 'POST, OPTIONS');
  if (message === undefined) response.writeHead(status, { 'content-length': 0 }).end();
  else response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(message.slice(0, 500));
}

/** A Broker that exists but has no address yet is not unknown, also for the real ingress. */
function noBroker(name: string, known: ReadonlySet<string>): IngressAnswer {
  return known.has(name)
    ? { status: 500, message: `the Broker ${name} is not ready` }
    : { status: 404, message: `there is no Broker ${name}` };
}
