import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import type { Summary } from '../../packages/event-log/api/summaries.ts';
import { listedType } from '../filters.ts';
import { tableOf } from '../table.ts';
import { objectOf, timeOf } from '../words.ts';

const headings = ['NUMBER', 'TIME', 'TYPE', 'OBJECT', 'CHANGED', 'BY', 'OUTCOME', 'WRITES'];

/** How short these columns may get on a narrow screen. */
const least = { TYPE: 6, OBJECT: 14, CHANGED: 7, BY: 6, OUTCOME: 7 };

/** A line for each event; times are UTC, with the day where not all are of today. */
export function eventsTable(
  events: readonly (RecordedEvent & Summary)[],
  { now, width }: { readonly now: number; readonly width: number },
): string {
  const today = new Date(now).toISOString().slice(0, 10);
  const isToday = events.every(({ time }) => timeOf(time).startsWith(today));
  const rows = events.map((event) => [
    String(event.seq),
    timeOf(event.time)
      .slice(isToday ? 11 : 5, 19)
      .replace('T', ' '),
    listedType(event.type),
    objectOf(event),
    orDash(event.changed.join(', ')),
    orDash(event.by ?? ''),
    orDash([...new Set(event.outcomes.map(({ outcome }) => outcome))].join(', ')),
    event.outcomes.length === 0 ? '-' : String(event.outcomes.reduce((sum, { writes }) => sum + writes, 0)),
  ]);
  return tableOf(headings, rows, { width, least });
}

function orDash(text: string): string {
  return text === '' ? '-' : text;
}
