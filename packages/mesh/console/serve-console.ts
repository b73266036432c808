import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';
import { refuseForeign } from '../../controller/domain/refuse-foreign.ts';
import { readBody } from '../../controller/server/body.ts';
import { answerError, send } from '../../controller/server/respond.ts';
import { handlerOf, jsonIn, type OwnAnswer } from './own-answer.ts';
import { passOn } from './pass-on.ts';
import { createSession, type Session } from './session.ts';

export interface ConsoleParts {
  /** The address of the event log now, which has the pages and what they show. */
  readonly upstream: () => string;
  /** Called when the event log does not answer there, before that is said. */
  readonly onAway?: () => Promise<void>;
  /** Called before each request for the token that the event log gets; absent where it asks for none. */
  readonly token?: () => Promise<string>;
  readonly port: number;
  /** What this process answers by itself. */
  readonly own: readonly OwnAnswer[];
  /** Called when a page has used up the token of the address, with the next address. */
  readonly onRenewed?: (url: string) => void;
}

export interface ConsoleServer {
  /** The address of the pages, with a token in its fragment that one page can use. */
  url(): string;
  close(): Promise<void>;
}

/**
 * Serves the console on this machine: the pages to everybody here, and all that they show to pages that have shown the token. A
 * Host or an Origin that is not of this machine is refused, and so is a POST of something else than JSON.
 */
export async function serveConsole(parts: ConsoleParts): Promise<ConsoleServer> {
  const { port, own, onRenewed } = parts;
  const { default: express } = await import('express');
  const session = createSession(() => onRenewed?.(url()));
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false);
  app.use(refuseStrangers);
  app.post('/console/session', openSession(session));
  app.use('/console', needsSession(session));
  for (const one of own) {
    const path = `/console/api${one.path}`;
    const handle = handlerOf(one);
    if (one.method === 'GET') app.get(path, handle);
    else app.post(path, handle);
  }
  app.get('/', (_request, response) => void response.writeHead(307, { location: '/console/' }).end());
  app.use('/console', asksLog(parts));
  const server = createServer((request, response) =>
    app(request as Request, response as Response, (error: unknown = nothingThere()) => refuse(error, response)),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  const url = (): string => `http://127.0.0.1:${listening}/console/#token=${session.token()}`;
  return { url, close: () => close(server) };
}

function asksLog({ upstream, token, onAway }: ConsoleParts): RequestHandler {
  return (request, response) =>
    passOn(request, response, { upstream: upstream(), path: request.originalUrl, ...(token && { token }) }).catch(
      async (error: unknown) => {
        if (!isAway(error)) throw error;
        await onAway?.();
        throw new KnudgeError('unavailable', 'the event log does not answer', { cause: error });
      },
    );
}

/** Whether nobody listens there any more, or the one who did is gone. */
function isAway(thrown: unknown): boolean {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code);
}

const refuseStrangers: RequestHandler = (request, _response, next) =>
  next(refuseForeign(request) ?? notPath(request) ?? notJson(request));

/** A request may name a whole address in place of a path (RFC 9112, 3.2.2): the token would go there. */
function notPath({ originalUrl }: Request): KnudgeError | undefined {
  return originalUrl.startsWith('/') ? undefined : new KnudgeError('invalid-request', 'ask for a path, not an address');
}

/** A page of another origin cannot send JSON without asking first. */
function notJson({ method, headers }: Request): KnudgeError | undefined {
  if (method !== 'POST' || /^application\/json\b/.test(headers['content-type'] ?? '')) return undefined;
  return new KnudgeError('unsupported-media-type', 'send Content-Type: application/json');
}

/** Bytes of the longest body with a token. */
const longestBody = 1024;

function openSession(session: Session): RequestHandler {
  return async (request, response) => {
    const { token } = (jsonIn(await readBody(request, longestBody)) ?? {}) as { readonly token?: unknown };
    const port = portOf(request);
    const cookie = session.opened(token, port);
    // Its token is spent, but it has the cookie: the same address was opened again, in the same browser.
    const isOpen = cookie === undefined && session.isOpen(request.headers.cookie, port);
    if (cookie === undefined && !isOpen) throw notOpened();
    response.writeHead(204, cookie === undefined ? {} : { 'set-cookie': cookie }).end();
  };
}

function needsSession(session: Session): RequestHandler {
  return (request, _response, next) =>
    next(session.isOpen(request.headers.cookie, portOf(request)) || isPage(request) ? undefined : notOpened());
}

/** Whether it is asked for a page alone, by a path without signs that a server could read as others: what it leads to in the event log must not be the API. */
function isPage({ method, originalUrl }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { pathname } = new URL(originalUrl, 'http://localhost');
  return /^\/console(\/[\w.~:-]*)*$/.test(pathname) && !/\/\.|\/+api(\/|$)/i.test(pathname);
}

function notOpened(): KnudgeError {
  const why = 'its address has no token, or one that was used before';
  return new KnudgeError(
    'unauthenticated',
    `this page may not ask the console: ${why}. npx knudge console prints another`,
  );
}

function portOf(request: Request): number {
  return request.socket.localPort ?? 0;
}

function nothingThere(): KnudgeError {
  return new KnudgeError('invalid-request', 'there is nothing at this path: the console is at /console/');
}

function refuse(thrown: unknown, response: ServerResponse): void {
  send(response, answerError(asKnudgeError(thrown)), false);
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
