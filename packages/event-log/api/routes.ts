import type { LogReader } from '../../controller/domain/event-log.ts';
import { deliveryRoutes } from './deliveries.ts';
import { answerAction } from './letter-action.ts';
import { answerList, type Place } from './list.ts';
import { readChain, readPage, readQuery, searches } from './read-query.ts';
import { answerReplay } from './replay.ts';
import { answerJson, type LogAnswer, type LogRequest, refuse } from './request.ts';
import type { LogApiParts, LogRoute } from './route.ts';

/** Everything that people and programs may ask of the event log, with a value as its answer: docs/event-log.md. */
export const routes: readonly LogRoute[] = [
  { method: 'GET', path: '/events', answer: listEvents },
  { method: 'GET', path: '/events/:id', answer: ({ params }, { log }) => oneEvent(params['id'] ?? '', log) },
  { method: 'GET', path: '/dead-letters', answer: listLetters },
  {
    method: 'POST',
    path: '/dead-letters/:seq/retry',
    answer: (request, parts) => answerAction(request, 'retry', parts),
  },
  {
    method: 'POST',
    path: '/dead-letters/:seq/discard',
    answer: (request, parts) => answerAction(request, 'discard', parts),
  },
  {
    method: 'GET',
    path: '/gaps',
    answer: async ({ query }, { log }) => answerJson(200, { gaps: await log.gaps(readPage(query)) }),
  },
  { method: 'POST', path: '/replay', answer: answerReplay },
  ...deliveryRoutes,
];

/** A page of the events, or a part of the chain of their hashes. */
export async function listEvents(request: LogRequest, { log }: LogApiParts): Promise<LogAnswer> {
  const { query, accept } = request;
  if (query.has('chain')) {
    const { after, limit } = readChain(query);
    return answerJson(200, await log.chain(after, limit));
  }
  return answerList(readQuery(query, accept, searches), {
    read: log.events,
    name: 'events',
    addressOf: nextOf('/events', query),
    count: (filter) => log.count(filter, 'events'),
  });
}

async function listLetters({ query, accept }: LogRequest, { log }: LogApiParts): Promise<LogAnswer> {
  return answerList(readQuery(query, accept, ['state']), {
    read: log.deadLetters,
    name: 'deadLetters',
    addressOf: nextOf('/dead-letters', query),
    count: (filter) => log.count(filter, 'dead-letters'),
  });
}

function nextOf(path: string, query: URLSearchParams): (place: Place) => string {
  return (place) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(place)) next.set(name, String(value));
    return `${path}?${next.toString()}`;
  };
}

/** Finds an event by its place in the log, else by its id. */
async function oneEvent(key: string, log: LogReader): Promise<LogAnswer> {
  const one = { order: 'newest-first', limit: 1 } as const;
  const seq = /^\d{1,15}$/.test(key) ? Number(key) : undefined;
  const [bySeq] = seq === undefined ? [] : await log.events({ after: seq - 1, before: seq + 1 }, one);
  const [found = bySeq] = bySeq === undefined ? await log.events({ id: key }, one) : [];
  return found === undefined ? refuse(404, 'there is no such event, or no longer') : answerJson(200, found);
}
