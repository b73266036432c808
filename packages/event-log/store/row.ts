import { createHash } from 'node:crypto';
import { ofKnative, type Received } from '../../controller/domain/change.ts';
import { reasonOf } from '../../controller/domain/dead-letter.ts';
import type {
  DeadLetter,
  DeadLetterState,
  Gap,
  Link,
  RecordedEvent,
  Stretch,
} from '../../controller/domain/event-log.ts';
import { redactText } from '../../controller/domain/redact-text.ts';
import { hashOf } from './chain.ts';
import { type ObjectColumns, objectColumns } from './object-columns.ts';
import { redactData } from './redact.ts';
import { shorten } from './shorten.ts';

/** An event as both stores keep it, under the names of their columns. */
export interface EventRow extends ObjectColumns {
  /** The same for the same source and id, and always short. */
  readonly digest: string;
  readonly recorded: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly time: string;
  /** `time` in milliseconds since 1970. */
  readonly at: number;
  readonly kind: string | null;
  readonly namespace: string | null;
  readonly name: string | null;
  /** JSON. */
  readonly extensions: string;
  readonly data: string | null;
  /** The bytes that the whole event would take; null if it is whole. */
  readonly shortened: number | null;
  /** About how many bytes the row takes. */
  readonly size: number;
}

export interface LetterRow extends EventRow {
  readonly destination: string;
  readonly status: number | null;
  readonly said: string | null;
}

/** About how many bytes the index and the other columns of a row take besides its texts. */
const overhead = 400;

/** The row for an event that comes at this time, in milliseconds since 1970. Throws `too-large` if its attributes are too large. */
export function toEventRow(event: Received, now: number): EventRow {
  const { id, source, type, extensions } = event;
  const recorded = new Date(now).toISOString();
  const at = Date.parse(event.time ?? '');
  const kind = extensions.get('kind') ?? null;
  const time = Number.isNaN(at) ? recorded : (event.time ?? recorded);
  const about = { kind, namespace: extensions.get('namespace') ?? null, name: extensions.get('name') ?? null };
  const attributes = [id, source, type, time, ...Object.values(about).map((text) => text ?? '')];
  const data = redactData(event.data, kind ?? undefined);
  const { bytes, ...texts } = shorten(attributes, extensionsOf(event), data);
  return {
    digest: digestOf(source, id),
    recorded,
    id,
    source,
    type,
    time,
    ...about,
    ...texts,
    ...objectColumns(data),
    at: Number.isNaN(at) ? now : at,
    size: overhead + bytes,
  };
}

/** The row for a dead letter: the same row for each subscriber that did not take the event. */
export function toLetterRow(letter: Received, now: number): LetterRow {
  const { destination, status = null, said } = reasonOf(letter);
  const row = toEventRow(letter, now);
  return {
    ...row,
    destination,
    status,
    at: now,
    digest: digestOf(letter.source, letter.id, destination),
    // Neither store accepts a NUL.
    said: said === undefined ? null : said.replaceAll('\0', ' '),
  };
}

/** Of a source and an id, or of those and more: short, and the same for the same texts. */
export function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}

/** Without those that have a column and without Knative's own, which Knative adds again to every event it delivers. */
function extensionsOf({ extensions }: Received): readonly (readonly [string, string])[] {
  const others = [...extensions].filter(([name]) => !columns.has(name) && !ofKnative.test(name));
  return others.map(([name, value]) => [name, redactText(value)]);
}

const columns = new Set(['kind', 'namespace', 'name']);

/** A row as a store returns it; numbers of PostgreSQL may be texts. */
export type Stored = Readonly<Record<string, unknown>>;

export function toEvent(row: Stored): RecordedEvent {
  const text = (name: string): string => String(row[name] ?? '');
  const optional = (name: 'kind' | 'namespace' | 'name') => (row[name] === null ? {} : { [name]: text(name) });
  return {
    seq: Number(row['seq']),
    recorded: text('recorded'),
    id: text('id'),
    source: text('source'),
    type: text('type'),
    time: text('time'),
    ...optional('kind'),
    ...optional('namespace'),
    ...optional('name'),
    extensions: JSON.parse(text('extensions')) as Record<string, string>,
    ...(row['data'] !== null && { data: JSON.parse(text('data')) as unknown }),
    ...(row['shortened'] !== null && { shortened: Number(row['shortened']) }),
  };
}

export function toLetter(row: Stored): DeadLetter {
  const text = (name: string): string => String(row[name] ?? '');
  return {
    ...toEvent(row),
    destination: text('destination'),
    ...(row['status'] !== null && { status: Number(row['status']) }),
    ...(row['said'] !== null && { said: text('said') }),
    times: Number(row['times']),
    first: text('recorded'),
    last: text('last'),
    state: text('state') as DeadLetterState,
    ...(row['note'] !== null && { note: text('note') }),
  };
}

/** A row with 0 events is a gap with an unknown number of events. */
export function toGap(row: Stored): Gap {
  const events = Number(row['events']);
  return {
    from: String(row['began']),
    to: String(row['ended']),
    ...(events > 0 && { events }),
    reason: String(row['reason']),
  };
}

/** The hashes of an event in the chain; null if it is older than the chain. */
export function hashesOf(row: Stored): { readonly previous: string | null; readonly hash: string | null } {
  const [previous, hash] = [row['previous'] ?? null, row['hash'] ?? null];
  return { previous: previous === null ? null : String(previous), hash: hash === null ? null : String(hash) };
}

export function toStretch(row: Stored): Stretch {
  const number = (name: string): number => Number(row[name]);
  const texts = { previous: String(row['previous']), hash: String(row['hash']) };
  return { first: number('first'), last: number('last'), events: number('events'), ...texts };
}

/** The next row of the chain, with its hash. */
export function linked<Row extends EventRow>(row: Row, previous: string): Row & { previous: string; hash: string } {
  return { ...row, previous, hash: hashOf(previous, row) };
}

/** The rows that are in the chain. */
export function linksOf(rows: readonly Stored[]): readonly Link[] {
  return rows.flatMap((row) => {
    const { previous, hash } = hashesOf(row);
    return previous === null || hash === null ? [] : [{ seq: Number(row['seq']), previous, hash }];
  });
}
