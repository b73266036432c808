import type { PageRequest } from '../../controller/domain/event-log.ts';
import type { ReadQuery } from './read-query.ts';
import { answerJson, type LogAnswer } from './request.ts';

/** So many are read first; from then on as many as have about so many bytes, so that a page of large events ends in time. */
const firstRead = 50;
const laterBytes = 1024 * 1024;

/** Bytes. An answer is whole before it is sent, and with this it is large enough. */
const longestPage = 8 * 1024 * 1024;

export interface Listing<Item extends { readonly seq: number }> {
  readonly read: (filter: ReadQuery['filter'], page: PageRequest) => Promise<readonly Item[]>;
  /** What they are called in the JSON. */
  readonly name: string;
  /** How many there are on all pages. */
  readonly count: (filter: ReadQuery['filter']) => Promise<number>;
  /** Where the next page is, with the whole query. */
  readonly addressOf: (place: Place) => string;
}

/** Where a page goes on. */
export type Place = { readonly before: number } | { readonly after: number };

/** One page of a list as one JSON object or a line for each; where there may be more it says where. */
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

/** As JSON, until there are enough of them or enough bytes. */
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
