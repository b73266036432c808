import type { LogReader } from '../../controller/domain/event-log.ts';
import { eventAt } from './causes.ts';
import { historyOf } from './history.ts';
import { lineageOf } from './lineage.ts';
import { numberIn, onlyKnown, readPage } from './read-query.ts';
import { answerJson, type LogAnswer, type LogRequest, refuse } from './request.ts';
import type { LogRoute } from './route.ts';

/** The routes for what became of events. */
export const deliveryRoutes: readonly LogRoute[] = [
  get('/deliveries', async ({ query }, log) => answerJson(200, await deliveriesOf(log, query))),
  get('/events/:id/chain', ({ params, over }, log) => chainOf(params['id'] ?? '', log, over)),
  get('/objects/:kind{/:namespace}/:name/history', historyIn),
];

function get(path: string, answer: (request: LogRequest, log: LogReader) => Promise<LogAnswer>): LogRoute {
  return { method: 'GET', path, answer: (request, { log }) => answer(request, log) };
}

async function chainOf(key: string, log: LogReader, over?: AbortSignal): Promise<LogAnswer> {
  const event = await eventAt(log, /^\d{1,15}$/.test(key) ? Number(key) : -1);
  if (event === undefined) return refuse(404, 'there is no event at this place, or no longer');
  return answerJson(200, await lineageOf(log, event, over));
}

async function historyIn({ query, params, over }: LogRequest, log: LogReader): Promise<LogAnswer> {
  onlyKnown(query, ['limit', 'before']);
  const before = numberIn(query, 'before', place);
  const limit = numberIn(query, 'limit', { least: 1, most: mostVersions }) ?? usualVersions;
  const { kind = '', namespace = '', name = '' } = params;
  const page = { limit, ...(before !== undefined && { before }), ...(over && { over }) };
  return answerJson(200, await historyOf(log, { kind, namespace, name }, page));
}

const usualVersions = 50;
const mostVersions = 200;
const place = { least: 0, most: Number.MAX_SAFE_INTEGER } as const;
const texts = ['function', 'outcome', 'uid', 'version', 'do', 'since', 'until'] as const;
const places = ['event', 'after', 'before'] as const;

async function deliveriesOf(log: LogReader, query: URLSearchParams): Promise<object> {
  onlyKnown(query, [...texts, ...places, 'order', 'limit']);
  const given = texts.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ''] as const] : []));
  const numbers = places.flatMap((name) => {
    const value = numberIn(query, name, place);
    return value === undefined ? [] : [[name, value] as const];
  });
  const page = readPage(query);
  const deliveries = await log.deliveries({ ...Object.fromEntries(given), ...Object.fromEntries(numbers) }, page);
  const last = deliveries.at(-1)?.seq;
  if (last === undefined || deliveries.length < page.limit) return { deliveries };
  const next = new URLSearchParams(query);
  next.set(page.order === 'newest-first' ? 'before' : 'after', String(last));
  return { deliveries, next: `/deliveries?${next.toString()}` };
}
