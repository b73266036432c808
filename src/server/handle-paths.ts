import type { IncomingMessage } from 'node:http';
import type { PlainRequest } from '../domain/plain-request.ts';
import { readBody } from './body.ts';
import { withDeadline } from './deadline.ts';
import { answerEvent, type EventParts, type Reaction } from './handle-event.ts';
import type { Answer } from './respond.ts';

/** What a process does that serves several functions, and people beside them. */
export interface PathsReaction {
  readonly to: 'paths';
  /** The functions by their paths: each takes events there. */
  readonly events: ReadonlyMap<string, Reaction>;
  /** Answers whatever else is asked. */
  readonly ask: (request: PlainRequest) => Promise<Answer>;
}

/** Seconds that somebody who asks may wait. */
const longestThought = 10;

/** Seconds of them that one event to the Broker may take: no deadline of an event is over while somebody waits for it. */
export const longestSend = 8;

/** Bytes of the body of what is no event: a note. */
const longestBody = 4096;

/** The answer at a path that has no meaning for every process. Fails with what `ask` fails with. */
export async function answerAtPath(
  request: IncomingMessage,
  { path, query }: { readonly path: string; readonly query: string },
  parts: Omit<EventParts, 'reaction'> & { readonly reaction: PathsReaction; readonly bodyLimitBytes: number },
): Promise<Answer> {
  const { reaction, bodyLimitBytes, after } = parts;
  const own = reaction.events.get(path);
  if (own !== undefined && request.method === 'POST') {
    const body = () => readBody(request, bodyLimitBytes);
    return answerEvent({ headers: request.headers, body }, { dryRun: false }, { ...parts, reaction: own });
  }
  const answer = reaction.ask({
    method: request.method ?? '',
    path,
    query: new URLSearchParams(query),
    accept: request.headers.accept ?? '',
    contentType: request.headers['content-type'] ?? '',
    headers: request.headers,
    authorization: request.headers.authorization ?? '',
    isLocal: isLocal(request.socket.remoteAddress),
    body: () => readBody(request, longestBody),
  });
  return withDeadline(answer, longestThought, after);
}

function isLocal(address = ''): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
