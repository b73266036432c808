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
import { redactData } from './redact.ts';
import { shorten } from './shorten.ts';
import type { Stored } from './writing.ts';

/** An event as both stores keep it, under the names of their columns. */
export interface EventRow {
  /** The same for the same source and id, and short whatever they are. */
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
  /** How many bytes it would take whole; null where it is. */
  readonly shortened: number | null;
  /** About how many bytes it takes. */
  readonly size: number;
}

export interface LetterRow extends EventRow {
  readonly destination: string;
  readonly status: number | null;
  readonly said: string | null;
}

/** What an index and the other columns of a row take besides its texts: about so many bytes. */
const overhead = 300;

/** What is kept of an event that comes at this time, in milliseconds since 1970. Throws `too-large` where its attributes are. */
export function toEventRow(event: Received, now: number): EventRow {
  const { id, source, type, extensions } = event;
  const recorded = new Date(now).toISOString();
  const at = Date.parse(event.time ?? '');
  const kind = extensions.get('kind') ?? null;
  const time = Number.isNaN(at) ? recorded : (event.time ?? recorded);
  const about = { kind, namespace: extensions.get('namespace') ?? null, name: extensions.get('name') ?? null };
  const attributes = [id, source, type, time, ...Object.values(about).map((text) => text ?? '')];
  const { bytes, ...texts } = shorten(attributes, extensionsOf(event), redactData(event.data, kind ?? undefined));
  return {
    digest: digestOf(source, id),
    ...{ recorded, id, source, type, time, ...about, ...texts },
    at: Number.isNaN(at) ? now : at,
    size: overhead + bytes,
  };
}

/** The same of a dead letter: one and the same for each place that did not take it. */
export function toLetterRow(letter: Received, now: number): LetterRow {
  const { destination, status = null, said } = reasonOf(letter);
  const row = toEventRow(letter, now);
  return {
    ...{ ...row, destination, status, at: now },
    digest: digestOf(letter.source, letter.id, destination),
    // Neither store takes a NUL.
    said: said === undefined ? null : said.replaceAll('\0', ' '),
  };
}

function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
}

/** Without those that have a column, and without Knative's own: it adds them anew to whatever is sent again. */
function extensionsOf({ extensions }: Received): readonly (readonly [string, string])[] {
  const others = [...extensions].filter(([name]) => !columns.has(name) && !ofKnative.test(name));
  return others.map(([name, value]) => [name, redactText(value)]);
}

const columns = new Set(['kind', 'namespace', 'name']);

/** Rows as a store gives them back; numbers of PostgreSQL may be texts. */

export function toEvent(row: Stored): RecordedEvent {
  const text = (name: string): string => String(row[name] ?? '');
  const optional = (name: 'kind' | 'namespace' | 'name') => (row[name] === null ? {} : { [name]: text(name) });
  return {
    seq: Number(row['seq']),
    ...{ recorded: text('recorded'), id: text('id'), source: text('source'), type: text('type'), time: text('time') },
    ...{ ...optional('kind'), ...optional('namespace'), ...optional('name') },
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
    ...{ times: Number(row['times']), first: text('recorded'), last: text('last') },
    state: text('state') as DeadLetterState,
    ...(row['note'] !== null && { note: text('note') }),
  };
}

/** A gap of no events is one of which nobody knows how many. */
export function toGap(row: Stored): Gap {
  const events = Number(row['events']);
  return {
    from: String(row['began']),
    to: String(row['ended']),
    ...(events > 0 && { events }),
    reason: String(row['reason']),
  };
}

/** The hashes of an event in the chain; null where it is older than the chain. */
export function hashesOf(row: Stored): { readonly previous: string | null; readonly hash: string | null } {
  const [previous, hash] = [row['previous'] ?? null, row['hash'] ?? null];
  return { previous: previous === null ? null : String(previous), hash: hash === null ? null : String(hash) };
}

export function toStretch(row: Stored): Stretch {
  const number = (name: string): number => Number(row[name]);
  const texts = { previous: String(row['previous']), hash: String(row['hash']) };
  return { first: number('first'), last: number('last'), events: number('events'), ...texts };
}

/** A row that is to be kept next in the chain, with its hash. */
export function linked<Row extends EventRow>(row: Row, previous: string): Row & { previous: string; hash: string } {
  return { ...row, previous, hash: hashOf(previous, row) };
}

/** Those that are in the chain. */
export function linksOf(rows: readonly Stored[]): readonly Link[] {
  return rows.flatMap((row) => {
    const { previous, hash } = hashesOf(row);
    return previous === null || hash === null ? [] : [{ seq: Number(row['seq']), previous, hash }];
  });
}
