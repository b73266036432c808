import { type IncomingMessage, request } from 'node:http';
import { type LiveEndpoints, podLayout, probePaths, type Unpublished } from '../envoy/data-plane.ts';
import { parseLiveEndpoints } from './parse.ts';
import { parseProxies, wordsOfNoConnection } from './parse-proxies.ts';
import type { AskTunnel } from './types.ts';

/** Envoy's answer has about 250 bytes, with a version of up to 64 characters and counts of any size less than a kilobyte. */
const longest = 2048;
/** frpc's answer has the names of a service, of up to 64 domains. */
const longestOfFrpc = 32768;
const ok = 200;

interface AskParts {
  /** Milliseconds for all answers together. With 0 no Envoy is asked. */
  readonly timeoutMs: number;
  /** The port; that of the Pod's probe listener if absent. */
  readonly port?: number;
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Asks for one path; undefined if no answer came in time, or a too long one. */
type Get = (path: string, mostBytes: number) => Promise<Answered | undefined>;

/**
 * Asks the Envoys of tunnels over plain HTTP, with a connection for each question. Nothing proves that the answer is Envoy's: an answer
 * that is too long, too late or of another form counts as no answer.
 */
export function createAskTunnel({ timeoutMs, port = podLayout.probePort }: AskParts): AskTunnel {
  return async ({ address, asksWhy }) => {
    if (timeoutMs === 0) return undefined;
    const until = performance.now() + timeoutMs;
    const get: Get = (path, mostBytes) => getOne({ host: address, port, path, mostBytes, until });
    const [live, unpublished] = await Promise.all([liveFrom(get), asksWhy ? whyFrom(get) : undefined]);
    return live && { ...live, ...(unpublished && { unpublished }) };
  };
}

async function liveFrom(get: Get): Promise<LiveEndpoints | undefined> {
  const answer = await get(probePaths.endpoints, longest);
  return answer?.status === ok ? parseLiveEndpoints(answer.body) : undefined;
}

async function whyFrom(get: Get): Promise<Unpublished | undefined> {
  const [proxies, server] = await Promise.all([
    get(probePaths.proxies, longestOfFrpc),
    get(probePaths.server, longest),
  ]);
  const words = proxies?.status === ok ? parseProxies(proxies.body) : undefined;
  if (words === undefined || words.isRunning) return undefined;
  if (words.error !== '') return { is: 'refused', words: words.error };
  // Envoy reports at once if it cannot connect. So if no answer came in time, it could connect.
  const noConnection = server && wordsOfNoConnection(server.body);
  return noConnection === undefined ? { is: 'not-logged-in' } : { is: 'unreachable', words: noConnection };
}

interface Question {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly mostBytes: number;
  /** By `performance.now()`. */
  readonly until: number;
}

function getOne({ host, port, path, mostBytes, until }: Question): Promise<Answered | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answered | undefined>();
  const asked = request({ host, port, path, agent: false, maxHeaderSize: longest });
  // A time-out of the whole answer. That of the socket never comes if the server sends one byte now and then.
  const timer = setTimeout(() => end(undefined), Math.max(0, until - performance.now()));

  function end(found: Answered | undefined): void {
    clearTimeout(timer);
    resolve(found);
    asked.destroy();
  }

  function read(answer: IncomingMessage): void {
    let body = '';
    answer.setEncoding('utf8');
    answer.on('error', () => end(undefined));
    answer.on('data', (chunk: string) => {
      body += chunk;
      if (body.length > mostBytes) end(undefined);
    });
    answer.on('end', () => end({ status: answer.statusCode ?? 0, body }));
  }

  asked.on('error', () => end(undefined));
  asked.on('response', read);
  asked.on('close', () => end(undefined));
  asked.end();
  return promise;
}
