import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { EventFilter, RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { eventsIn } from '../../packages/event-log/replay/file.ts';
import { createMatcher } from '../../packages/event-log/replay/matches.ts';
import {
  readOldestFirst,
  type Selection,
  ticks,
  untilNow,
  withoutTicks,
} from '../../packages/event-log/replay/read.ts';
import { filterOf } from '../filters.ts';
import { type OpenLog, openLog } from '../open-log.ts';
import type { SourceOptions } from './options.ts';

/** What to send, without what comes into the log or the file from now on. */
export interface Bounded {
  readonly selection: Selection;
  /** Bytes of the file that are read. */
  readonly size?: number;
}

/** Recorded events, oldest first. */
export interface Source {
  /** The name of the source in messages. */
  readonly title: string;
  readonly bounded: Bounded;
  /** The number of events. */
  readonly total: number;
  readonly events: AsyncIterable<RecordedEvent>;
  /** The number of events skipped until now because they only wake the resync. */
  readonly passed: () => number;
  /** The `post` of the log; a file has none. */
  readonly post?: OpenLog['post'];
  close(): Promise<void>;
}

/** The place from which a replay that ended early continues. */
export interface From {
  readonly bounded: Bounded;
  readonly after: number;
}

/** Opens the log or the file. A file is read to its end first: throws `invalid-request` with the number of a wrong line. */
export async function openSource(options: SourceOptions, from?: From): Promise<Source> {
  const { file, deadLetters } = options;
  const asked: Selection = { filter: filterOf(options), ...(deadLetters && { deadLetters }) };
  if (file !== undefined) return openFile(file, asked.filter, from);
  const open = await openLog(options);
  try {
    const selection = from?.bounded.selection ?? (await untilNow(open.log, asked));
    const after = Math.max(selection.filter.after ?? 0, from?.after ?? 0);
    const rest = { ...selection, filter: { ...selection.filter, after } };
    const all = readOldestFirst(open.log, rest);
    const total = await countOf(open, rest);
    return { ...open, ...sourceOf(all, rest.filter), bounded: { selection }, total };
  } catch (error) {
    await open.close();
    throw error;
  }
}

function sourceOf(all: AsyncIterable<RecordedEvent>, filter: EventFilter): Pick<Source, 'events' | 'passed'> {
  let passed = 0;
  const events = withoutTicks(all, filter, () => {
    passed += 1;
  });
  return { events, passed: () => passed };
}

async function countOf({ log }: OpenLog, { filter, deadLetters }: Selection): Promise<number> {
  const count = (more: EventFilter): Promise<number> =>
    deadLetters === undefined
      ? log.count({ ...filter, ...more }, 'events')
      : log.count({ ...filter, ...more, state: deadLetters }, 'dead-letters');
  if (filter.type !== undefined || filter.id !== undefined) return count({});
  const [all = 0, ...passed] = await Promise.all([count({}), ...ticks.map((type) => count({ type }))]);
  return passed.reduce((sum, one) => sum - one, all);
}

async function openFile(file: string, filter: EventFilter, from: From | undefined): Promise<Source> {
  const size = sizeOf(file);
  const bounded = from?.bounded ?? { selection: { filter }, size };
  if (size < (bounded.size ?? 0)) {
    throw new KnudgeError(
      'misuse',
      `${file} is shorter than it was, so it is another file: start again without --resume`,
    );
  }
  const rest = { ...bounded.selection.filter, after: from?.after ?? 0 };
  const read = () => ofFile(file, bounded.size ?? size, rest);
  let total = 0;
  for await (const _ of sourceOf(read(), rest).events) total += 1;
  return { title: file, ...sourceOf(read(), rest), bounded, total, close: async () => {} };
}

function sizeOf(file: string): number {
  try {
    const stat = statSync(file);
    if (stat.isFile()) return stat.size;
  } catch (cause) {
    throw new KnudgeError('misuse', `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  throw new KnudgeError('misuse', `${file} is not a file: it is read twice, so give a file instead of a pipe`);
}

async function* ofFile(file: string, size: number, filter: EventFilter): AsyncGenerator<RecordedEvent> {
  if (size === 0) return;
  const matches = createMatcher(filter);
  const input = createReadStream(file, { end: size - 1 });
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const event of eventsIn(lines, file)) if (matches(event)) yield event;
  } finally {
    input.destroy();
  }
}
