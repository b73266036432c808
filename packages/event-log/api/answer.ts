import type { Outgoing } from '../../controller/domain/change.ts';
import { KnudgeError } from '../../controller/domain/errors.ts';
import type { EventLog, LogReader } from '../../controller/domain/event-log.ts';
import type { Clock } from '../replay/clock.ts';
import { admit, type Check } from './admit.ts';
import { answerList, type Place } from './list.ts';
import { readChain, readPage, readQuery } from './read-query.ts';
import { answerReplay } from './replay.ts';
import { answerJson, type LogAnswer, type LogRequest, refuse } from './request.ts';
import { letterAt, sendAgain } from './send-again.ts';

export interface LogApiParts {
  readonly log: LogReader & Pick<EventLog, 'mark'>;
  /** To the Broker. */
  readonly send: (event: Outgoing) => Promise<void>;
  readonly check?: Check;
  /** Of a replay; the machine's unless it says otherwise. */
  readonly clock?: Clock;
}

/** What people and programs may ask of the event log: docs/event-log.md. Fails with a KnudgeError. */
export async function answerAsked(request: LogRequest, parts: LogApiParts): Promise<LogAnswer> {
  const [, list = '', key, action] = request.path.split('/');
  const route = routeOf(request, { list, key, action });
  if (route === undefined)
    throw new KnudgeError('invalid-request', 'there is nothing at this path: docs/event-log.md has all');
  if (request.method !== route.method && !(request.method === 'HEAD' && route.method === 'GET')) {
    const refusal = answerJson(405, { code: 'method-not-allowed', message: `only ${route.method} is taken here` });
    return { ...refusal, headers: { ...refusal.headers, allow: route.method } };
  }
  return (await admit(request, `/${list}`, parts.check)) ?? route.answer(parts);
}

interface Route {
  readonly method: 'GET' | 'POST';
  readonly answer: (parts: LogApiParts) => Promise<LogAnswer>;
}

interface Address {
  readonly list: string;
  readonly key: string | undefined;
  readonly action: string | undefined;
}

function routeOf(request: LogRequest, { list, key, action }: Address): Route | undefined {
  if (request.path.split('/').length > 4) return undefined;
  if (list === 'dead-letters' && (action === 'retry' || action === 'discard')) {
    return { method: 'POST', answer: (parts) => answerAction(request, { key, action }, parts) };
  }
  if (action !== undefined) return undefined;
  if (list === 'events' && key !== undefined) return { method: 'GET', answer: ({ log }) => answerEvent(key, log) };
  if (key !== undefined) return undefined;
  if (list === 'replay') return { method: 'POST', answer: (parts) => answerReplay(request, parts) };
  const addressOf = (place: Place): string => `/${list}?${withPlace(request.query, place)}`;
  switch (list) {
    case 'events':
      if (request.query.has('chain')) return get(async ({ log }) => answerJson(200, await chainOf(request.query, log)));
      return get(({ log }) =>
        answerList(queryOf(request), {
          ...{ read: log.events, name: 'events', addressOf },
          count: (filter) => log.count(filter, 'events'),
        }),
      );
    case 'dead-letters':
      return get(({ log }) =>
        answerList(queryOf(request, ['state']), {
          ...{ read: log.deadLetters, name: 'deadLetters', addressOf },
          count: (filter) => log.count(filter, 'dead-letters'),
        }),
      );
    case 'gaps':
      return get(async ({ log }) => answerJson(200, { gaps: await log.gaps(readPage(request.query)) }));
    default:
      return undefined;
  }
}

async function chainOf(query: URLSearchParams, log: LogReader): Promise<object> {
  const { after, limit } = readChain(query);
  return log.chain(after, limit);
}

function get(answer: Route['answer']): Route {
  return { method: 'GET', answer };
}

function queryOf({ query, accept }: LogRequest, others: readonly 'state'[] = []) {
  return readQuery(query, accept, others);
}

function withPlace(query: URLSearchParams, place: Place): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(place)) next.set(name, String(value));
  return next.toString();
}

/** By its place in the log, else by its id. */
async function answerEvent(key: string, log: LogReader): Promise<LogAnswer> {
  const one = { order: 'newest-first', limit: 1 } as const;
  const seq = /^\d{1,15}$/.test(key) ? Number(key) : undefined;
  const [bySeq] = seq === undefined ? [] : await log.events({ after: seq - 1, before: seq + 1 }, one);
  const [found = bySeq] = bySeq === undefined ? await log.events({ id: decoded(key) }, one) : [];
  return found === undefined ? refuse(404, 'there is no such event, or no longer') : answerJson(200, found);
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    throw new KnudgeError('invalid-request', 'the id in this path is not percent-encoded as it should be');
  }
}

async function answerAction(
  request: LogRequest,
  { key = '', action }: { readonly key: string | undefined; readonly action: 'retry' | 'discard' },
  { log, send }: LogApiParts,
): Promise<LogAnswer> {
  const note = await noteIn(request);
  const letter = /^\d{1,15}$/.test(key) ? await letterAt(log, Number(key)) : undefined;
  if (letter === undefined) return refuse(404, 'there is no such dead letter, or no longer');
  if (action === 'discard') await log.mark(letter.seq, 'discarded', note);
  else await sendAgain(letter, note, { log, send });
  return answerJson(200, await letterAt(log, letter.seq));
}

/** Characters. */
const longestNote = 1000;

async function noteIn(request: LogRequest): Promise<string | undefined> {
  const text = (await request.body()).toString('utf8');
  if (text === '') return undefined;
  const { note } = parsed(text) as { readonly note?: unknown };
  if (note === undefined || (typeof note === 'string' && note.length <= longestNote)) return note;
  throw new KnudgeError('invalid-request', `the note must be a text of at most ${longestNote} characters`);
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new KnudgeError('invalid-json', 'the body must be a JSON object such as {"note":"why"}, or empty');
}
