import type { IncomingMessage, ServerResponse } from 'node:http';
import { KnudgeError } from '../domain/errors.ts';
import { readBody } from './body.ts';
import { isDryRun } from './dry-runs.ts';
import { answerEvent, type EventParts, type Reaction } from './handle-event.ts';
import { type Answer, wrongMethod } from './respond.ts';

/** What a process does that serves several functions, and may be people beside them. */
export interface PathsReaction {
  readonly to: 'paths';
  /** The functions by their paths: each takes events there. */
  readonly events: ReadonlyMap<string, OwnFunction>;
  /** Answers whatever else is asked; if absent, there is nothing else. */
  readonly ask?: Ask;
}

/** Answers a request by itself, and fails with what it does not answer; `leaving` says whether this process is to end. */
export type Ask = (request: IncomingMessage, response: ServerResponse, leaving: () => boolean) => Promise<void>;

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
export const longestThought = 10;

/** Seconds of them that one event to the Broker may take: no deadline of an event is over while somebody waits for it. */
export const longestSend = 8;

/** What is asked, and where the answer goes. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: string;
}

interface PathsParts extends Omit<EventParts, 'reaction'> {
  readonly reaction: PathsReaction;
  readonly bodyLimitBytes: number;
  readonly leaving: () => boolean;
}

/** The answer at a path that has no meaning for every process; nothing where `ask` has answered. Fails with what `ask` fails with. */
export async function answerAtPath(exchange: Exchange, parts: PathsParts): Promise<Answer | undefined> {
  const { request, response, path, query } = exchange;
  const { reaction, bodyLimitBytes, leaving } = parts;
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
  await reaction.ask(request, response, leaving);
  return undefined;
}
