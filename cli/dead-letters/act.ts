import type { Command } from 'commander';
import { asKnudgeError } from '../../packages/controller/domain/errors.ts';
import type { DeadLetter, EventFilter } from '../../packages/controller/domain/event-log.ts';
import { readAll } from '../../packages/event-log/replay/read-all.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FilterOptions, filterOf, withFilters } from '../filters.ts';
import { leaf, usageError, wholeUpTo } from '../leaf.ts';
import { type LogOptions, type OpenLog, openLog, withLog } from '../open-log.ts';
import { show } from '../show.ts';
import { countOf } from '../words.ts';

interface Options extends LogOptions, FilterOptions {
  readonly all?: boolean;
  readonly note?: string;
}

type Action = 'retry' | 'discard';

/** What became of one dead letter. */
interface Became {
  readonly number: number;
  readonly state: DeadLetter['state'];
  readonly times?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** `knudge dead-letters retry`: sends dead letters to the Broker once more. */
export function retryCommand(): Command {
  return acting(leaf('retry', 'send dead letters to the Broker once more'), 'retry');
}

/** `knudge dead-letters discard`: marks dead letters as not needed any more. */
export function discardCommand(): Command {
  return acting(leaf('discard', 'mark dead letters as not needed any more'), 'discard');
}

/** Characters: the longest note that the log takes. */
const longestNote = 1000;

function acting(command: Command, action: Action): Command {
  return withFilters(withLog(command))
    .argument('[number...]', 'its number in the list', collect)
    .option('--all', 'every open dead letter that the filters select')
    .option('--note <text>', 'the reason, kept with the dead letter', note)
    .action((numbers: readonly number[] | undefined, options: Options) => act(action, numbers ?? [], options));
}

function collect(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, wholeUpTo(Number.MAX_SAFE_INTEGER)(text)];
}

function note(text: string): string {
  if (text.length <= longestNote) return text;
  throw usageError(`the note has ${text.length} characters, and the log takes ${longestNote}`);
}

async function act(action: Action, numbers: readonly number[], options: Options): Promise<void> {
  const filter = filterOf(options);
  checkUsage(numbers, filter, options);
  const opened = await openLog(options);
  try {
    const counts = { done: 0, failed: 0 };
    for await (const number of options.all ? allOpen(opened, filter) : new Set(numbers)) {
      const became = await actOn(opened, number, { action, note: options.note, isFirst: counts.done === 0 });
      const isDone = became.error === undefined && became.state !== 'open';
      counts[isDone ? 'done' : 'failed'] += 1;
      show(became, ({ bad }) => (isDone ? textOf(became) : bad(textOf(became))), options);
    }
    if (!options.json) console.log(sumOf(action, counts));
    if (counts.failed > 0) process.exitCode = exitCodes.failed;
  } finally {
    await opened.close();
  }
}

function checkUsage(numbers: readonly number[], filter: EventFilter, { all = false }: Options): void {
  if (all && numbers.length > 0) throw usageError('name dead letters by their numbers, or say --all: not both');
  if (!all && numbers.length === 0) {
    throw usageError('name dead letters by their numbers in npx knudge dead-letters list, or say --all');
  }
  const [filtered] = Object.keys(filter);
  if (!all && filtered !== undefined)
    throw usageError('filters are for --all: numbers say which dead letters are meant');
}

async function* allOpen({ log }: OpenLog, filter: EventFilter): AsyncGenerator<number> {
  for await (const { seq } of readAll(log.deadLetters, { ...filter, state: 'open' as const })) yield seq;
}

/** Without an answer before anything is done the command fails as a whole: every further one would fail the same way. */
async function actOn(
  { post }: OpenLog,
  number: number,
  {
    action,
    note: why,
    isFirst,
  }: { readonly action: Action; readonly note: string | undefined; readonly isFirst: boolean },
): Promise<Became> {
  try {
    const body = why === undefined ? {} : { note: why };
    const { state, times } = (await post(`/dead-letters/${number}/${action}`, body)) as DeadLetter;
    return { number, state, times };
  } catch (thrown) {
    const { code, message } = asKnudgeError(thrown);
    if (code === 'unavailable' && isFirst) throw thrown;
    return { number, state: 'open', error: { code, message } };
  }
}

function textOf({ number, state, times, error }: Became): string {
  if (error !== undefined) return `${number}: ${error.message}`;
  switch (state) {
    case 'open':
      return `${number} failed again and is open: ${countOf(times ?? 0, 'time')} now`;
    case 'sent-again':
      return `${number} is sent again`;
    case 'discarded':
      return `${number} is discarded`;
  }
}

function sumOf(action: Action, { done, failed }: { readonly done: number; readonly failed: number }): string {
  const what = `${countOf(done, 'dead letter')} ${action === 'retry' ? 'sent again' : 'discarded'}`;
  return failed === 0 ? what : `${what}, ${failed.toLocaleString('en-US')} not`;
}
