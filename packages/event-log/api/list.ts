import type { PageRequest } from '../../controller/domain/event-log.ts';
import type { ReadQuery } from './read-query.ts';
import { answerJson, type LogAnswer } from './request.ts';

/** Items of the first read; each further read takes about as many as fit into these bytes, so that a page of large events ends in time. */
const firstRead = 50;
const laterBytes = 1024 * 1024;

/** Bytes of the longest page: the answer is built whole before it is sent. */
const longestPage = 8 * 1024 * 1024;

export interface Listing<Item extends { readonly seq: number }> {
  readonly read: (filter: ReadQuery['filter'], page: PageRequest) => Promise<readonly Item[]>;
  /** The name of the list in the JSON. */
  readonly name: string;
  /** The number of items on all pages. */
  readonly count: (filter: ReadQuery['filter']) => Promise<number>;
  /** The address of the next page, with the whole query. */
  readonly addressOf: (place: Place) => string;
}

/** The place where a page continues. */
export type Place = { readonly before: number } | { readonly after: number };

/** Answers one page of a list as one JSON object or as a line for each item, with the address of the next page if there may be more. */
export async function answerList<Item extends { readonly seq: number }>(
  query: ReadQuery,
  { read, name, count, addressOf }: Listing<Item>,
): Promise<LogAnswer> {
  const { items, next } = await readItems(query, read);
  const total = query.total ? await count(query.filter) : undefined;
  const address = next && addressOf(next);
  if (query.format === 'json') {
    const end = [
      ...(total === undefined ? [] : [`,"total":${total}`]),
      ...(address === undefined ? [] : [`,"next":${JSON.stringify(address)}`]),
    ];
    return { ...answerJson(200, null), body: `{"${name}":[${items.join(',')}]${end.join('')}}` };
  }
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(total !== undefined && { 'knudge-total': String(total) }),
    ...(address !== undefined && { link: `<${address}>; rel="next"` }),
  };
  return { status: 200, headers, body: items.map((item) => `${item}\n`).join('') };
}

/** Reads items as JSON until there are enough of them or enough bytes. */
async function readItems<Item extends { readonly seq: number }>(
  { filter, order, limit }: ReadQuery,
  read: Listing<Item>['read'],
): Promise<{ readonly items: readonly string[]; readonly next?: Place }> {
  const items: string[] = [];
  let [bytes, isWhole] = [0, false];
  let next: Place | undefined;
  while (items.length < limit && bytes < longestPage && !isWhole) {
    const atOnce = items.length === 0 ? firstRead : Math.ceil((laterBytes * items.length) / bytes);
    const wanted = Math.min(atOnce, limit - items.length);
    const found = await read({ ...filter, ...next }, { order, limit: wanted });
    for (const item of found) {
      const text = JSON.stringify(item);
      bytes += Buffer.byteLength(text);
      items.push(text);
    }
    const last = found.at(-1)?.seq;
    if (last !== undefined) next = order === 'newest-first' ? { before: last } : { after: last };
    isWhole = found.length < wanted;
  }
  return isWhole || next === undefined ? { items } : { items, next };
}
