import { type Command, Option } from 'commander';
import type { EventFilter, Gap, RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import type { Style } from '../../packages/mesh/screen.ts';
import { type FilterOptions, filterOf, shortType, withFilters } from '../filters.ts';
import { leaf, wholeUpTo } from '../leaf.ts';
import { type LogOptions, openLog, withLog } from '../open-log.ts';
import { show } from '../show.ts';
import { printable, tableOf } from '../table.ts';
import { countOf, objectOf, timeOf } from '../words.ts';
import { gapsOf } from './gaps.ts';

interface Options extends LogOptions, FilterOptions {
  readonly limit: number;
  readonly before?: number;
}

interface Listed {
  readonly events: readonly RecordedEvent[];
  /** On this page and all that follow. */
  readonly total: number;
  /** Where the next page begins; absent on the last. */
  readonly next?: { readonly before: number };
  /** On the first page. */
  readonly gaps: readonly Gap[];
}

/** `knudge events list`: a page of events, newest first. */
export function listCommand(): Command {
  const command = leaf('list', 'list events, newest first, and the gaps in which none could be kept');
  return withFilters(withLog(command))
    .addOption(new Option('--limit <number>', 'so many at most').argParser(wholeUpTo(1000)).default(50))
    .option('--before <number>', 'those before this one in the list', wholeUpTo(Number.MAX_SAFE_INTEGER))
    .action(list);
}

async function list(options: Options): Promise<void> {
  const filter = filterOf(options);
  const { log, title, close } = await openLog(options);
  try {
    const { limit, before } = options;
    const page: EventFilter = { ...filter, ...(before !== undefined && { before }) };
    const events = await log.events(page, { order: 'newest-first', limit });
    const total = events.length < limit ? events.length : await log.count(page, 'events');
    const last = events.at(-1);
    const gaps = before === undefined ? await gapsOf(log, filter) : [];
    const next = last !== undefined && total > events.length ? { next: { before: last.seq } } : {};
    const listed = { events, total, ...next, gaps };
    show(listed, (style) => textOf(listed, title, style), options);
  } finally {
    await close();
  }
}

function textOf({ events, total, next, gaps }: Listed, title: string, { dim, odd }: Style): string {
  const rows = events.map((event) => [
    String(event.seq),
    timeOf(event.time),
    shortType(event.type),
    objectOf(event),
    event.id,
  ]);
  const table = rows.length === 0 ? [] : [tableOf(['NUMBER', 'TIME', 'TYPE', 'OBJECT', 'ID'], rows), ''];
  const more = next === undefined ? '' : `; older ones: the same with --before ${next.before}`;
  const count = next === undefined ? countOf(total, 'event') : `${events.length} of ${countOf(total, 'event')}`;
  return [...table, dim(`${count} in ${title}${more}`), ...gaps.map((gap) => odd(lineOf(gap)))].join('\n');
}

function lineOf({ from, to, events, reason }: Gap): string {
  const why = `(${printable(reason)})`;
  if (events === undefined)
    return `gap: from ${timeOf(from)} to ${timeOf(to)} events may be missing, not known how many ${why}`;
  return `gap: ${countOf(events, 'event')} from ${timeOf(from)} to ${timeOf(to)} could not be kept ${why}`;
}
