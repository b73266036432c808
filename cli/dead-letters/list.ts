import { type Command, Option } from 'commander';
import type { DeadLetter, DeadLetterState } from '../../packages/controller/domain/event-log.ts';
import type { Style } from '../../packages/mesh/screen.ts';
import { type FilterOptions, filterOf, shortType, withFilters } from '../filters.ts';
import { leaf, wholeUpTo } from '../leaf.ts';
import { type LogOptions, openLog, withLog } from '../open-log.ts';
import { show } from '../show.ts';
import { tableOf } from '../table.ts';
import { countOf, objectOf, timeOf } from '../words.ts';

interface Options extends LogOptions, FilterOptions {
  readonly state: DeadLetterState | 'all';
  readonly limit: number;
  readonly before?: number;
}

interface Listed {
  readonly deadLetters: readonly DeadLetter[];
  /** The number on this page and all that follow. */
  readonly total: number;
  /** Where the next page begins; absent on the last. */
  readonly next?: { readonly before: number };
}

/** `knudge dead-letters list`: a page of dead letters, newest first. */
export function listCommand(): Command {
  const states = ['open', 'sent-again', 'discarded', 'all'] satisfies readonly Options['state'][];
  const command = leaf('list', 'list dead letters, newest first, with the reason why the Broker gave up on each');
  return withFilters(withLog(command))
    .addOption(new Option('--state <state>', 'in which they are').choices(states).default('open'))
    .addOption(new Option('--limit <number>', 'at most this many').argParser(wholeUpTo(1000)).default(50))
    .option('--before <number>', 'those before this one in the list', wholeUpTo(Number.MAX_SAFE_INTEGER))
    .action(list);
}

async function list(options: Options): Promise<void> {
  const { state, limit, before } = options;
  const filter = {
    ...filterOf(options),
    ...(before !== undefined && { before }),
    ...(state !== 'all' && { state }),
  };
  const { log, title, close } = await openLog(options);
  try {
    const deadLetters = await log.deadLetters(filter, { order: 'newest-first', limit });
    const total = deadLetters.length < limit ? deadLetters.length : await log.count(filter, 'dead-letters');
    const last = deadLetters.at(-1);
    const next = last !== undefined && total > deadLetters.length ? { next: { before: last.seq } } : {};
    const listed = { deadLetters, total, ...next };
    show(listed, (style) => textOf(listed, { title, state }, style), options);
  } finally {
    await close();
  }
}

function textOf(
  { deadLetters, total, next }: Listed,
  { title, state }: { readonly title: string; readonly state: Options['state'] },
  { dim }: Style,
): string {
  const rows = deadLetters.map((letter) => [
    String(letter.seq),
    letter.state,
    String(letter.times),
    timeOf(letter.first),
    timeOf(letter.last),
    shortType(letter.type),
    objectOf(letter),
    reasonOf(letter),
  ]);
  const headings = ['NUMBER', 'STATE', 'TIMES', 'FIRST', 'LAST', 'TYPE', 'OBJECT', 'REASON'];
  const table = rows.length === 0 ? [] : [tableOf(headings, rows), ''];
  const all = countOf(total, state === 'all' ? 'dead letter' : `${state} dead letter`);
  const count = next === undefined ? all : `${deadLetters.length} of ${all}`;
  const more = next === undefined ? '' : `; older ones: the same with --before ${next.before}`;
  return [...table, dim(`${count} in ${title}${more}`)].join('\n');
}

/** `http://pod-changed… answered 500: text`, and the note of a discarded one. */
function reasonOf({ destination, status, said, note }: DeadLetter): string {
  const who = destination === '' ? 'an unknown subscriber' : destination;
  const answered = status === undefined ? '' : ` answered ${status}`;
  return `${who}${answered}${said === undefined ? '' : `: ${said}`}${note === undefined ? '' : ` (note: ${note})`}`;
}
