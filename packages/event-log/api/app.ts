import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Router } from 'express';
import { KnudgeError } from '../../controller/domain/errors.ts';
import { readBody } from '../../controller/server/body.ts';
import { withDeadline } from '../../controller/server/deadline.ts';
import { type Ask, longestThought } from '../../controller/server/handle-paths.ts';
import { send, wrongMethod } from '../../controller/server/respond.ts';
import { admit } from './admit.ts';
import { type ConsoleFiles, serveConsole } from './console.ts';
import { createFeed } from './feed.ts';
import { answerMay } from './may.ts';
import { type LogRequest, refuse } from './request.ts';
import type { LogApiParts, LogRoute } from './route.ts';
import { routes } from './routes.ts';
import { createStreams } from './stream.ts';

/**
 * The event log's HTTP interface as an application of express: the routes, who is admitted, and nothing that express would add
 * by itself. What it has no answer for, and each error, goes back to the server, whose answers all errors have.
 */
export async function createLogApp(parts: LogApiParts): Promise<Ask> {
  // Loaded here: in an image it is a file of its own, which no function but this one reads.
  const { default: express } = await import('express');
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  // The queries are read by the handlers, which refuse what they do not know.
  app.set('query parser', false);
  const api = express.Router({ caseSensitive: true, strict: true });
  const { log, check, feed = createFeed(), streams: timing = {}, files = noFiles } = parts;
  for (const { method, path, answer } of routes) {
    addRoute(api, { method, path }, async ({ asked, list, response, leaving }) => {
      const gone = new AbortController();
      const over = () => gone.abort();
      response.once('close', over);
      const request = { ...asked, over: gone.signal };
      const answered = admit(asked, list, check).then((refusal) => refusal ?? answer(request, parts));
      send(response, await withDeadline(answered, longestThought).finally(over), leaving());
    });
  }
  const stream = createStreams();
  addRoute(api, { method: 'GET', path: '/stream' }, async ({ asked, list, response, leaving }) => {
    const refusal = await withDeadline(admit(asked, list, check), longestThought);
    if (refusal !== undefined) send(response, refusal, leaving());
    else await stream(asked, response, { log, feed, leaving, timing });
  });
  addRoute(api, { method: 'GET', path: '/may' }, async ({ asked, response, leaving }) =>
    send(response, await withDeadline(answerMay(asked, check), longestThought), leaving()),
  );
  for (const [method, path, command] of elsewhere) {
    addRoute(api, { method, path }, async ({ asked, list, response, leaving }) => {
      const why = `the event log cannot answer ${path}: ${command} does`;
      send(response, (await admit(asked, list, check)) ?? refuse(404, why), leaving());
    });
  }
  app.use(api);
  // The same for the pages, which ask below their own address.
  app.use('/console/api', api, (_request, _response, next) => next(nothingThere()));
  for (const path of ['/console', '/console/', '/console/*file']) {
    addRoute(app, { method: 'GET', path }, async ({ asked, list, response, leaving }) => {
      const refusal = await withDeadline(admit(asked, list, check), longestThought);
      if (refusal !== undefined) send(response, refusal, leaving());
      else if (path !== list) await serveConsole(asked, response, { files, leaving });
      else response.writeHead(308, { location: '/console/', 'content-length': 0 }).end();
    });
  }
  return (request, response, leaving) =>
    new Promise((resolve, reject) => {
      if (!request.url?.startsWith('/')) return reject(nothingThere());
      leavers.set(request, leaving);
      response.once('close', resolve);
      app(request as Request, response as never, (error?: unknown) => reject(errorOf(error)));
    });
}

/** What needs more than the log, which is the manifests, the functions or the cluster, and the command that has it. */
const elsewhere = [
  ['GET', '/map', 'npx knudge map'],
  ['GET', '/functions', 'npx knudge status'],
  ['GET', '/doctor', 'npx knudge doctor'],
  ['POST', '/plan', 'npx knudge replay --plan'],
] as const;

const noFiles: ConsoleFiles = async () => undefined;

/** Whether the process that has a request is to end: what is answered then is the last on its connection. */
const leavers = new WeakMap<IncomingMessage, () => boolean>();

interface Exchange {
  readonly asked: LogRequest;
  /** The list that it is about: it stands for all of its paths in the rules of a ClusterRole. */
  readonly list: string;
  readonly response: ServerResponse;
  readonly leaving: () => boolean;
}

/** Adds an address with its one method; `path` as express has it. */
function addRoute(
  api: Router,
  { method, path }: Pick<LogRoute, 'method' | 'path'>,
  serve: (exchange: Exchange) => Promise<void>,
): void {
  const list = `/${path.split('/')[1] ?? ''}`;
  const handle: RequestHandler = (request, response) =>
    serve({ asked: askedIn(request), list, response, leaving: () => isLeaving(request) });
  api.route(path).all(only(method))[method === 'GET' ? 'get' : 'post'](handle);
}

/** Refuses other methods before anything is asked about who comes. */
function only(method: 'GET' | 'POST'): RequestHandler {
  return (request, response, next) => {
    if (request.method === method || (request.method === 'HEAD' && method === 'GET')) next();
    else send(response, wrongMethod(method), isLeaving(request));
  };
}

function isLeaving(request: IncomingMessage): boolean {
  return leavers.get(request)?.() === true;
}

/** Bytes of the longest body: a note, or which events to send again. */
const longestBody = 4096;

function askedIn(request: Request): LogRequest {
  const { method, originalUrl, path, headers, params, socket } = request;
  const [, query = ''] = /\?(.*)$/s.exec(originalUrl) ?? [];
  return {
    method,
    path,
    headers,
    query: new URLSearchParams(query),
    params: params as Record<string, string>,
    accept: headers.accept ?? '',
    contentType: headers['content-type'] ?? '',
    authorization: headers.authorization ?? '',
    isLocal: isLocal(socket.remoteAddress),
    body: () => readBody(request, longestBody),
  };
}

function isLocal(address = ''): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

function nothingThere(): KnudgeError {
  return new KnudgeError('invalid-request', 'there is nothing at this path: docs/event-log.md lists all paths');
}

/** express gives no error where no route takes a request, and one of its own where it cannot decode the path. */
function errorOf(error: unknown): unknown {
  if (error === undefined || error === null) return nothingThere();
  if (!(error instanceof URIError)) return error;
  return new KnudgeError('invalid-request', 'the id in this path is not percent-encoded as it should be');
}
