import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { urlToHttpOptions } from 'node:url';

/** What goes on to the event log: not the cookie, nor the Host and the Origin, which were checked before. */
const passed = ['accept', 'content-type', 'content-length', 'if-none-match', 'last-event-id'] as const;

export interface PassOn {
  /** The address of the event log. */
  readonly upstream: string;
  /** The path and the query there. */
  readonly path: string;
  /** Called before each request for the token that the event log gets; absent where it asks for none. */
  readonly token?: () => Promise<string>;
}

/** Passes a request on to the event log and its answer back, piece by piece. Rejects where the log does not answer. */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { upstream, path, token }: PassOn,
): Promise<void> {
  const authorization = token === undefined ? [] : [['authorization', `Bearer ${await token()}`]];
  // Its client has left meanwhile: the event `close` is over.
  if (response.destroyed) return;
  const given = passed.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]]));
  const headers = Object.fromEntries([...given, ...authorization]) as Record<string, string>;
  return new Promise((resolve, reject) => {
    // A connection of its own: a stream keeps one for long.
    // The path goes as it is, and never says where to.
    const asked = ask({ ...urlToHttpOptions(new URL(upstream)), path, method: request.method, headers, agent: false });
    asked.on('response', (answer) => {
      const { connection: _, 'transfer-encoding': __, 'keep-alive': ___, ...given } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, given);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    asked.once('error', (error) => (response.headersSent ? response.destroy() : reject(error)));
    response.once('close', () => {
      asked.destroy();
      resolve();
    });
    request.pipe(asked);
  });
}
