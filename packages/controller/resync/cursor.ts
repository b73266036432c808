import { type Outgoing, type Received, resyncSource, resyncTypes } from '../domain/change.ts';
import { KnudgeError } from '../domain/errors.ts';
import { groupOf, type ObjectRef } from '../domain/kube-object.ts';
import { kindsIn } from './order.ts';

export type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/**
 * What of the list of a kind a round goes through. A list is a ring that each round enters elsewhere: were the first page
 * always the first, a round that always dies within it would never reach the second.
 */
export type Ring =
  /** This many objects are passed over before the first has its turn. */
  | { readonly part: 'way'; readonly left: number }
  /** What comes after this object, `namespace/name`, to the end of the list; empty: all of it. */
  | { readonly part: 'tail'; readonly edge: string }
  /** From the beginning of the list to this object. */
  | { readonly part: 'head'; readonly edge: string };

/** Where a round of the resync is: what one invocation hands to the next. */
export interface Cursor {
  /** The id of the event that began the round. */
  readonly round: string;
  /** By which a continuation is told from one that somebody else has made up; of a round that begins none is known yet. */
  readonly key?: string;
  /** Something was not asked after: the round is not whole. */
  readonly isPartial?: true;
  /** How many invocations of this round were before. */
  readonly step: number;
  readonly kind: string;
  /** The group of that kind. A continuation of an earlier version has none: it is at the first list of a kind of this name. */
  readonly group?: string;
  /** The list is that of children that are looked at: a kind may be among the parents too. */
  readonly isOfChildren?: true;
  /** Of the page to read; empty for the first. */
  readonly token: string;
  /** `namespace/name` of the last object of that page that was announced; empty: none was. */
  readonly after: string;
  /** `namespace/name` of the last object of that page when it was first read. If absent, the order is that of the list. */
  readonly through?: string;
  /** The part of the list that has its turn. If absent, its first page has not been read. */
  readonly ring?: Ring;
  /** How often this kind has begun again because its token was too old. */
  readonly restarts: number;
}

/** Which list of a round: a name of a kind alone may stand for several. */
type Listed = Pick<Cursor, 'kind' | 'group' | 'isOfChildren'>;

/** How a cursor names the list of a kind. */
export function listOf(one: Kind): Listed & { readonly group: string } {
  const { apiVersion, kind } = one;
  return { kind, group: groupOf(apiVersion), ...(isLookedAt(one) && { isOfChildren: true }) };
}

/** The place of a list among those of a round; -1 for one that is not among them. */
export function indexOfList({ kind, group, isOfChildren }: Listed, kinds: readonly Kind[]): number {
  const isMeant = (one: Kind): boolean =>
    group === undefined || (groupOf(one.apiVersion) === group && isLookedAt(one) === (isOfChildren === true));
  return kinds.findIndex((one) => one.kind === kind && isMeant(one));
}

function isLookedAt(one: Kind): boolean {
  return 'labelSelector' in one;
}

/** What wakes the resync may have an id of any length, and every event of the round carries it. */
const longestRound = 100;

/** Whether an event begins a round: a tick does, and what has no data. */
export function isBeginning({ type, data }: Pick<Received, 'type' | 'data'>): boolean {
  return type !== resyncTypes.due || data === undefined;
}

/**
 * Where an event says to go on: at the first kind of its round where it begins one, else at the place of the continuation.
 * Throws `invalid-event` for data that is no place.
 */
export function cursorIn(received: Received, kinds: readonly Kind[]): Cursor {
  if (isBeginning(received)) return firstOf(received.id.slice(0, longestRound), kinds);
  const fields = fieldsOf(received.data, 'data');
  const { round, key, isPartial, step, token, after, through, ring, restarts } = fields;
  const list = listIn(fields);
  if (indexOfList(list, kinds) < 0) throw invalid('kind');
  return {
    round: textOf(round, 'round').slice(0, longestRound),
    ...(key !== undefined && { key: textOf(key, 'key') }),
    ...(isPartial !== undefined && { isPartial: true as const }),
    step: countOf(step, 'step'),
    ...list,
    token: textOf(token, 'token'),
    after: textOf(after, 'after'),
    ...(through !== undefined && { through: textOf(through, 'through') }),
    ...(ring !== undefined && { ring: ringOf(ring) }),
    restarts: countOf(restarts, 'restarts'),
  };
}

function firstOf(round: string, kinds: readonly Kind[]): Cursor {
  const [first] = kindsIn(round, kinds);
  return { round, step: 0, ...(first ? listOf(first) : { kind: '' }), token: '', after: '', restarts: 0 };
}

function listIn({ kind, group, isOfChildren }: Readonly<Record<string, unknown>>): Listed {
  return {
    kind: textOf(kind, 'kind'),
    ...(group !== undefined && { group: textOf(group, 'group') }),
    ...(isOfChildren !== undefined && { isOfChildren: true }),
  };
}

/** The event that the next invocation goes on from. */
export function continuationOf(cursor: Cursor, time: string): Outgoing {
  const next = { ...cursor, step: cursor.step + 1 };
  const id = `${next.round}/step/${next.step}`;
  return { id, type: resyncTypes.due, source: resyncSource, time, extensions: {}, data: next };
}

function fieldsOf(data: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { ...data };
  throw invalid(field);
}

function ringOf(value: unknown): Ring {
  const { part, left, edge } = fieldsOf(value, 'ring');
  switch (part) {
    case 'way':
      return { part, left: countOf(left, 'ring') };
    case 'tail':
    case 'head':
      return { part, edge: textOf(edge, 'ring') };
    default:
      throw invalid('ring');
  }
}

function textOf(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw invalid(field);
}

function countOf(value: unknown, field: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalid(field);
}

function invalid(field: string): KnudgeError {
  return new KnudgeError(
    'invalid-event',
    `the continuation of a resync is refused: its ${field} is wrong; without data a new round begins`,
  );
}
