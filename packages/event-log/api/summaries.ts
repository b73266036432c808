import { eventTypes } from '../../controller/domain/change.ts';
import type { LogReader, RecordedEvent } from '../../controller/domain/event-log.ts';
import { formerOf } from './former.ts';
import { type Compared, comparedWith, objectIn } from './kept-object.ts';

/** What one line of a list says of an event. */
export interface Summary {
  /** Where the object differs from the version before it: `spec.text`, `status.conditions`. Empty too where that one is not known. */
  readonly changed: readonly string[];
  /** The field manager that wrote this version; absent where nobody can know it, as of a deletion. */
  readonly by?: string;
  /** What became of it in each function, at the last try. */
  readonly outcomes: readonly { readonly function: string; readonly outcome: string; readonly writes: number }[];
}

type Readable = Pick<LogReader, 'events' | 'deliveries'>;

/** At most this many questions to the log at a time. */
const atOnce = 16;

/** The events of a page, which is newest first, each with its summary. */
export async function summarised(
  log: Readable,
  page: readonly RecordedEvent[],
): Promise<readonly (RecordedEvent & Summary)[]> {
  const all: (RecordedEvent & Summary)[] = [];
  for (let from = 0; from < page.length; from += atOnce) {
    const part = page.slice(from, from + atOnce).map(async (event, index) => {
      const older = page.slice(from + index + 1);
      return { ...event, ...(await summaryOf(log, event, older)) };
    });
    all.push(...(await Promise.all(part)));
  }
  return all;
}

const unknown: Compared = { changes: [], isNext: false };

async function summaryOf(log: Readable, event: RecordedEvent, older: readonly RecordedEvent[]): Promise<Summary> {
  const object = objectIn(event);
  const verb = Object.hasOwn(eventTypes, event.type) ? eventTypes[event.type] : undefined;
  const former = object === undefined || verb === 'added' ? undefined : await formerOf(log, event, older);
  const { changes, isNext, by } = object === undefined ? unknown : comparedWith(former, object);
  return {
    changed: isNext ? pathsOf(changes) : [],
    ...(by !== undefined && verb !== 'deleted' && { by: by.manager }),
    outcomes: await outcomesOf(log, event),
  };
}

function pathsOf(changes: Compared['changes']): readonly string[] {
  const paths = changes.map(({ field }) => {
    const [, first = '', second] = field.replace(/^\/metadata/, '').split('/');
    return second === undefined || field.startsWith('/metadata') ? first : `${first}.${second}`;
  });
  return [...new Set(paths)];
}

/** The newest tries of an event in all functions together. */
const mostTries = 50;

async function outcomesOf(log: Readable, { seq }: RecordedEvent): Promise<Summary['outcomes']> {
  const newest = await log.deliveries({ event: seq }, { order: 'newest-first', limit: mostTries });
  const last = new Map(newest.toReversed().map(({ function: name, outcome, writes }) => [name, { outcome, writes }]));
  return [...last].map(([name, became]) => ({ function: name, ...became }));
}
