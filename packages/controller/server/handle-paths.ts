import type { IncomingMessage } from 'node:http';
import { KnudgeError } from '../domain/errors.ts';
import type { PlainRequest } from '../domain/plain-request.ts';
import { readBody } from './body.ts';
import { withDeadline } from './deadline.ts';
import { isDryRun } from './dry-runs.ts';
import { answerEvent, type EventParts, type Reaction } from './handle-event.ts';
import { type Answer, wrongMethod } from './respond.ts';

/** What a process does that serves several functions, and may be people beside them. */
export interface PathsReaction {
  readonly to: 'paths';
  /** The functions by their paths: each takes events there. */
  readonly events: ReadonlyMap<string, OwnFunction>;
  /** Answers whatever else is asked; absent: there is nothing else. */
  readonly ask?: (request: PlainRequest) => Promise<Answer>;
}

export interface OwnFunction {
  readonly stem: string;
  readonly reaction: Reaction;
}

/** Each at the path of its stem; one that is alone also where every function takes its events. */
export function pathsOf(own: readonly OwnFunction[]): ReadonlyMap<string, OwnFunction> {
  const paths = own.map((one) => [`/${one.stem}`, one] as const);
  const [only] = own;
  return new Map(own.length === 1 && only !== undefined ? [...paths, ['/', only]] : paths);
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
    return answerEvent({ headers: request.headers, body }, { dryRun: isDryRun(query) }, { ...parts, ...own });
  }
  if (reaction.ask === undefined) {
    if (own !== undefined) return wrongMethod('POST');
    const places = [...reaction.events.keys()].filter((one) => one !== '/');
    throw new KnudgeError('invalid-request', `there is nothing at this path: send events to ${places.join(', ')}`);
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
