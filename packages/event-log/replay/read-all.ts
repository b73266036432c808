import type { EventFilter, PageRequest } from '../../controller/domain/event-log.ts';

/** Characters of JSON that a page should have, about. */
const pageLength = 1024 * 1024;
const smallest = 10;
const largest = 1000;
/** The number of events of a page that are measured. */
const measured = 20;

/**
 * Everything that a filter selects, oldest first, up to the newest event at the start: a page at a time, so that memory use
 * does not grow with the number and size of the events.
 */
export async function* readAll<Item extends { readonly seq: number }, Filter extends EventFilter>(
  read: (filter: Filter, page: PageRequest) => Promise<readonly Item[]>,
  filter: Filter,
): AsyncGenerator<Item, void, undefined> {
  const [newest] = await read(filter, { order: 'newest-first', limit: 1 });
  if (newest === undefined) return;
  let [after, limit] = [filter.after, 50];
  for (;;) {
    const bounds = { before: newest.seq + 1, ...(after !== undefined && { after }) };
    const page = await read({ ...filter, ...bounds }, { order: 'oldest-first', limit });
    yield* page;
    const last = page.at(-1);
    if (page.length < limit || last === undefined) return;
    after = last.seq;
    limit = fitting(page);
  }
}

function fitting(page: readonly unknown[]): number {
  const some = page.filter((_, index) => index % Math.ceil(page.length / measured) === 0);
  const length = some.reduce<number>((sum, item) => sum + JSON.stringify(item).length, 0) / some.length;
  return Math.min(largest, Math.max(smallest, Math.floor(pageLength / length)));
}
