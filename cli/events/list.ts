import { type Command, Option } from 'commander';
import type { EventSearch, Gap, RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { type Summary, summarised } from '../../packages/event-log/api/summaries.ts';
import type { Style } from '../../packages/mesh/screen.ts';
import { type FilterOptions, filterOf, withFilters } from '../filters.ts';
import { leaf, wholeUpTo } from '../leaf.ts';
import { type LogOptions, openLog, withLog } from '../open-log.ts';
import { show } from '../show.ts';
import { printable } from '../table.ts';
import { untilSignal } from '../until-signal.ts';
import { countOf, timeOf } from '../words.ts';
import { follow } from './follow.ts';
import { gapsOf } from './gaps.ts';
import { eventsTable } from './rows.ts';

interface Options extends LogOptions, FilterOptions {
  readonly limit: number;
  readonly text?: string;
  readonly changed?: 'spec' | 'status';
  readonly follow?: boolean;
  readonly before?: number;
}

interface Listed {
  readonly events: readonly (RecordedEvent & Summary)[];
  /** The number on this page and all that follow. */
  readonly total: number;
  /** Where the next page begins; absent on the last. */
  readonly next?: { readonly before: number };
  /** On the first page only. */
  readonly gaps: readonly Gap[];
}

/** `knudge events list`: a page of events, newest first. */
export function listCommand(): Command {
  const command = leaf('list', 'list events, newest first, and the gaps in which none could be recorded');
  return withFilters(withLog(command))
    .addOption(new Option('--limit <number>', 'at most this many').argParser(wholeUpTo(1000)).default(50))
    .option('--text <text>', 'with this text in type, kind, namespace, name or id')
    .addOption(new Option('--changed <part>', 'whose object has changed there').choices(['spec', 'status']))
    .addOption(new Option('--follow', 'go on with events as they come').conflicts('before'))
    .option('--before <number>', 'those before this one in the list', wholeUpTo(Number.MAX_SAFE_INTEGER))
    .action(list);
}

async function list(options: Options): Promise<void> {
  const filter = filterOf(options);
  const { log, title, close } = await openLog(options);
  try {
    const { limit, before } = options;
    const search = {
      ...(options.text !== undefined && { q: options.text }),
      ...(options.changed && { changed: options.changed }),
    };
    const page: EventSearch = { ...filter, ...search, ...(before !== undefined && { before }) };
    if (options.follow === true) return await follow(log, page, { ...options, signal: whenTold() });
    const events = await log.events(page, { order: 'newest-first', limit });
    const total = events.length < limit ? events.length : await log.count(page, 'events');
    const last = events.at(-1);
    const gaps = before === undefined ? await gapsOf(log, filter) : [];
    const next = last !== undefined && total > events.length ? { next: { before: last.seq } } : {};
    const listed = { events: await summarised(log, events), total, ...next, gaps };
    show(listed, (style, width) => textOf(listed, { title, width, style }), options);
  } finally {
    await close();
  }
}

/** Aborts when the process is asked to end. */
function whenTold(): AbortSignal {
  const stop = new AbortController();
  void untilSignal(process, process.exit).then(() => stop.abort());
  return stop.signal;
}

interface TextParts {
  /** The name of the log. */
  readonly title: string;
  readonly width: number;
  readonly style: Style;
}

function textOf({ events, total, next, gaps }: Listed, { title, width, style: { dim, odd } }: TextParts): string {
  const table = events.length === 0 ? [] : [eventsTable(events, { now: Date.now(), width }), ''];
  const more = next === undefined ? '' : `; older ones: the same with --before ${next.before}`;
  const count = next === undefined ? countOf(total, 'event') : `${events.length} of ${countOf(total, 'event')}`;
  return [...table, dim(`${count} in ${title}${more}`), ...gaps.map((gap) => odd(lineOf(gap)))].join('\n');
}

function lineOf({ from, to, events, reason }: Gap): string {
  const why = `(${printable(reason)})`;
  if (events === undefined)
    return `gap: from ${timeOf(from)} to ${timeOf(to)} an unknown number of events may be missing ${why}`;
  return `gap: ${countOf(events, 'event')} from ${timeOf(from)} to ${timeOf(to)} could not be recorded ${why}`;
}
