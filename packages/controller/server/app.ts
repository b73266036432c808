import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import { refuseForeign } from '../domain/refuse-foreign.ts';
import { readBody } from './body.ts';
import type { Config } from './config.ts';
import { isDryRun } from './dry-runs.ts';
import type { EventParts } from './handle-event.ts';
import { answerEvent, type HandleOptions } from './handle-event.ts';
import { answerAtPath, type PathsReaction } from './handle-paths.ts';
import { answerQuestion, longestQuestion, type QuestionReaction } from './handle-question.ts';
import type { Metrics } from './metrics.ts';
import type { Answer } from './respond.ts';
import { answerError, answerText, endSafely, send, wrongMethod } from './respond.ts';
import type { Drain } from './shutdown.ts';

/** Everything the server is made of. */
export interface AppParts extends Omit<EventParts, 'reaction'> {
  readonly reaction: EventParts['reaction'] | QuestionReaction | PathsReaction;
  readonly config: Pick<Config, 'bodyLimitBytes' | 'handlerDeadlineSeconds' | 'listenAddress'>;
  readonly metrics: Pick<Metrics, 'event' | 'render'>;
  /** Why this process is not ready yet; absent, or undefined from it: it is. */
  readonly notReady?: () => string | undefined;
  /** Says when this process is leaving: readiness fails, and each answer is the last on its connection. */
  readonly drain: Readonly<Drain>;
}

/**
 * Milliseconds. A sender in the cluster has 10 s for its headers and 15 s for all of 2 MiB: slower is no sender but an
 * attack or a broken link. Idle connections stay 100 s, longer than the 90 s after which the clients of Knative drop
 * theirs: it must be the client that closes, or it may send an event into a connection that is just being closed.
 */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 100_000,
  connectionsCheckingInterval: 1_000,
} as const;

/** Node's own refusal of a request without a host has no body: ours has. */
const options = { ...timeouts, requireHostHeader: false } as const;

/** The HTTP server of a function, not yet listening: events, health and metrics. */
export function createApp(parts: AppParts): Server {
  const onEndFailed = (err: unknown): void => parts.log.error({ err }, 'the end of an answer failed');
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response, parts)
      .catch((thrown: unknown) => {
        parts.log.error({ err: thrown }, 'answering failed');
        return answerError(asKnudgeError(thrown));
      })
      .then((result) => result && send(response, endSafely(result, onEndFailed), parts.drain.begun))
      .catch(() => response.destroy());
  };
  const server = createServer(options, onRequest);
  // An Expect that Node does not know would be 417, which no table of answers has.
  server.on('checkExpectation', onRequest);
  server.on('clientError', refuse);
  return server;
}

interface Route {
  readonly method: 'GET' | 'POST';
  readonly answer: (request: IncomingMessage, parts: AppParts, query: string) => Answer | Promise<Answer>;
}

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/', { method: 'POST', answer: (request, parts, query) => answerPost(request, { dryRun: isDryRun(query) }, parts) }],
  ['/health/liveness', { method: 'GET', answer: () => answerText(200, 'alive') }],
  ['/health/readiness', { method: 'GET', answer: (_request, { drain, notReady }) => readiness(drain, notReady?.()) }],
  ['/metrics', { method: 'GET', answer: (request, { metrics }) => exposition(request, metrics) }],
]);

/** Unknown paths are 400 and not 404: Knative retries a 404. Nothing where the answer was given elsewhere. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  parts: AppParts,
): Promise<Answer | undefined> {
  try {
    // RFC 9112, section 3.2; HTTP/1.0 knows none.
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      throw new KnudgeError('invalid-request', 'the request has no Host: HTTP/1.1 asks for one');
    const foreign = isLoopback(parts.config.listenAddress) ? refuseForeign(request) : undefined;
    if (foreign !== undefined) throw foreign;
    const { path, query } = splitUrl(request.url ?? '');
    const route = routes.get(path);
    const { reaction } = parts;
    if (reaction.to === 'paths' && (route === undefined || path === '/')) {
      const { bodyLimitBytes } = parts.config;
      const leaving = () => parts.drain.begun;
      return await answerAtPath({ request, response, path, query }, { ...parts, reaction, bodyLimitBytes, leaving });
    }
    if (route === undefined && reaction.to === 'question' && request.method === 'POST')
      return await answerAsked(request, path, { ...parts, reaction });
    if (route === undefined)
      throw new KnudgeError('invalid-request', 'there is nothing at this path: send events to /');
    if (request.method !== route.method) return wrongMethod(route.method);
    return await route.answer(request, parts, query);
  } catch (thrown) {
    if (thrown instanceof KnudgeError) return answerError(thrown);
    throw thrown;
  }
}

function answerPost(request: IncomingMessage, options: HandleOptions, parts: AppParts): Promise<Answer> {
  const { reaction } = parts;
  if (reaction.to === 'question') return answerAsked(request, '/', { ...parts, reaction });
  // answer() has asked it already.
  if (reaction.to === 'paths') throw new KnudgeError('internal', 'no route is left for this process');
  const body = () => readBody(request, parts.config.bodyLimitBytes);
  return answerEvent({ headers: request.headers, body }, options, { ...parts, reaction });
}

function answerAsked(
  request: IncomingMessage,
  path: string,
  parts: AppParts & { readonly reaction: QuestionReaction },
): Promise<Answer> {
  const body = () => readBody(request, Math.min(parts.config.bodyLimitBytes, longestQuestion));
  return answerQuestion({ path, headers: request.headers, body }, parts);
}

/** Elsewhere it has the names that Knative gives it. */
function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function readiness({ begun }: Readonly<Drain>, notReady: string | undefined): Answer {
  const why = begun ? 'this instance is leaving' : notReady;
  return why === undefined ? answerText(200, 'ready') : answerError(new KnudgeError('unavailable', why));
}

/** OpenMetrics for those who take it, as Prometheus does: it alone has exemplars. */
async function exposition({ headers }: IncomingMessage, metrics: Pick<Metrics, 'render'>): Promise<Answer> {
  if (headers.accept?.includes('application/openmetrics-text') === true) {
    const type = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
    return answerText(200, await metrics.render('OpenMetrics'), type);
  }
  return answerText(200, await metrics.render(), 'text/plain; version=0.0.4; charset=utf-8');
}

/** The answer to what is not an HTTP request, or never became a whole one. Node's own answers (408, 431) are in no table of ours. */
function refuse(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body } = answerError(refusalOf(error.code));
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    () => {
      socket.destroy();
    },
  );
}

function refusalOf(code: string | undefined): KnudgeError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new KnudgeError('unavailable', 'the request did not arrive in time: send it again');
    case 'HPE_HEADER_OVERFLOW':
      return new KnudgeError('too-large', 'the headers are larger than 16 KiB');
    default:
      return new KnudgeError('invalid-request', 'this is not an HTTP request');
  }
}
