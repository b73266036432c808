import { KnudgeError } from '../../controller/domain/errors.ts';
import type { DeadLetterState, EventFilter, PageRequest } from '../../controller/domain/event-log.ts';

export interface ReadQuery {
  readonly filter: EventFilter & { readonly state?: DeadLetterState };
  readonly order: PageRequest['order'];
  readonly limit: number;
  /** Wants to know how many there are on all pages. */
  readonly total: boolean;
  readonly format: 'json' | 'ndjson';
}

const usual = 100;
const most = 1000;
const texts = ['since', 'until', 'type', 'kind', 'namespace', 'name', 'id'] as const;
const places = ['after', 'before'] as const;
const states: readonly DeadLetterState[] = ['open', 'sent-again', 'discarded'];
const orders: readonly PageRequest['order'][] = ['newest-first', 'oldest-first'];

/** The filter and the page that a query asks for; `others` are parameters that only some lists know. Throws `invalid-request`. */
export function readQuery(query: URLSearchParams, accept: string, others: readonly 'state'[] = []): ReadQuery {
  const known: readonly string[] = [...texts, ...places, 'order', 'limit', 'total', 'format', ...others];
  for (const name of query.keys()) {
    if (!known.includes(name)) throw wrong(name, `is not known here: there are ${known.join(', ')}`);
    if (query.getAll(name).length > 1) throw wrong(name, 'is there more than once');
  }
  const given = texts.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : []));
  const at = places.flatMap((name) => {
    const place = numberIn(query, name, { least: 0, most: Number.MAX_SAFE_INTEGER });
    return place === undefined ? [] : [[name, place]];
  });
  const state = oneOf(query, 'state', states);
  return {
    filter: { ...Object.fromEntries(given), ...Object.fromEntries(at), ...(state && { state }) },
    ...readPage(query),
    total: oneOf(query, 'total', ['true', 'false']) === 'true',
    format: formatIn(query, accept),
  };
}

/** How many, and which first. Throws `invalid-request`. */
export function readPage(query: URLSearchParams): PageRequest {
  const limit = numberIn(query, 'limit', { least: 1, most }) ?? usual;
  return { order: oneOf(query, 'order', orders) ?? 'newest-first', limit };
}

/** So many events with their hashes at once: each may have 64 KiB. */
const mostLinks = 100;

/** From where on the chain is asked for, and how much of it. Throws `invalid-request`. */
export function readChain(query: URLSearchParams): { readonly after: number; readonly limit: number } {
  const known = ['chain', 'after', 'limit'];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(unknown, `is not known of the chain: there are ${known.join(', ')}`);
  oneOf(query, 'chain', ['true']);
  const after = numberIn(query, 'after', { least: 0, most: Number.MAX_SAFE_INTEGER }) ?? 0;
  return { after, limit: numberIn(query, 'limit', { least: 1, most: mostLinks }) ?? mostLinks };
}

function numberIn(
  query: URLSearchParams,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw wrong(name, `must be a whole number from ${least} to ${most}`);
  return value;
}

function oneOf<Word extends string>(query: URLSearchParams, name: string, words: readonly Word[]): Word | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const found = words.find((word) => word === text);
  if (found === undefined) throw wrong(name, `must be one of ${words.join(', ')}`);
  return found;
}

function formatIn(query: URLSearchParams, accept: string): ReadQuery['format'] {
  const text = query.get('format') ?? (/\bapplication\/(x-)?ndjson\b/.test(accept) ? 'ndjson' : 'json');
  if (text !== 'json' && text !== 'ndjson') throw wrong('format', 'must be json or ndjson');
  return text;
}

function wrong(name: string, why: string): KnudgeError {
  return new KnudgeError('invalid-request', `the parameter ${name.slice(0, 64)} ${why}`);
}
