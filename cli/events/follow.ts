import { setTimeout as wait } from 'node:timers/promises';
import type { EventSearch, LogReader, RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { type Summary, summarised } from '../../packages/event-log/api/summaries.ts';
import { listedType } from '../filters.ts';
import type { Common } from '../leaf.ts';
import { show } from '../show.ts';
import { printable } from '../table.ts';
import { objectOf, timeOf } from '../words.ts';

/** Milliseconds between two looks. */
const interval = 1000;

/** The most events that one look takes; the next goes on behind them. */
const atOnce = 500;

/** Prints the last events of a search, and then each as it comes, oldest first, until the signal. */
export async function follow(
  log: Pick<LogReader, 'events' | 'deliveries'>,
  search: EventSearch,
  { limit, signal, ...common }: Common & { readonly limit: number; readonly signal: AbortSignal },
): Promise<void> {
  const print = async (oldestFirst: readonly RecordedEvent[]): Promise<void> => {
    const events = (await summarised(log, oldestFirst.toReversed())).toReversed();
    for (const event of events) show(event, () => lineOf(event), common);
  };
  const last = (await log.events(search, { order: 'newest-first', limit })).toReversed();
  await print(last);
  let after = last.at(-1)?.seq ?? search.after ?? 0;
  while (!signal.aborted) {
    const found = await log.events({ ...search, after }, { order: 'oldest-first', limit: atOnce });
    await print(found);
    after = found.at(-1)?.seq ?? after;
    await wait(interval, undefined, { signal }).catch(() => undefined);
  }
}

/** What came of it is not known yet. */
function lineOf({ changed, by, ...event }: RecordedEvent & Summary): string {
  const more = [...(changed.length === 0 ? [] : [changed.join(', ')]), ...(by === undefined ? [] : [`by ${by}`])];
  return printable([event.seq, timeOf(event.time), listedType(event.type), objectOf(event), ...more].join('  '));
}
