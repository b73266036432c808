import { resyncSource } from '../domain/change.ts';
import { KnudgeError } from '../domain/errors.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { EventContext } from '../domain/ports.ts';
import { timeOf } from '../domain/time.ts';
import { type Announced, announce, atOnce } from './announce.ts';
import { type Cursor, indexOfList, type Kind, listOf } from './cursor.ts';
import { keyOf, kindsIn, turnsAfter } from './order.ts';
import { type ChildKind, type OrphansWith, tellOrphans } from './orphans.ts';
import { anew, entered, headAfter, limitOf, partOf, passedOver } from './ring.ts';

/** A kind whose token expires more often than this is left to the next tick, or a round might never end. */
const mostRestarts = 2;

export interface ResyncWith extends Omit<EventContext, 'rounds' | 'restarts' | 'sleep' | 'eventLog'> {
  /** Kinds of parents, each object of which is asked after. */
  readonly kinds: readonly Kind[];
  /** Kinds of children, which are looked at. */
  readonly childKinds?: readonly ChildKind[];
}

/** The same, all kinds in the order of this round. */
interface Rounding extends Pick<ResyncWith, 'pager' | 'log'> {
  readonly kinds: readonly (Kind | ChildKind)[];
}

/** What one invocation has done of a round. */
export interface Progress {
  readonly pages: number;
  readonly sent: number;
  readonly failed: number;
  /** The round is through, and has left nothing out. */
  readonly isWhole: boolean;
  /** Where the next invocation goes on; absent when the round is through. */
  readonly next?: Cursor;
}

/**
 * Works through the parents page by page, one event to the Broker for each, until all are through or the time is up.
 * However long the list took, it gets further than it was. An event that could not be sent is counted and left to the
 * next tick; throws `unavailable` where none could be. A kind that is not served is passed over.
 */
export async function announceParents(from: Cursor, given: ResyncWith): Promise<Progress> {
  const { kinds: parentKinds, childKinds = [] } = given;
  const parts = {
    ...given,
    parentKinds,
    kinds: kindsIn<Kind | ChildKind>(from.round, [...parentKinds, ...childKinds]),
  };
  const began = parts.now();
  const isTimeUp = (): boolean => parts.now() - began >= parts.workSeconds * 1000;
  const time = (): string => timeOf(parts.now() / 1000);
  const done = { pages: 0, sent: 0, failed: 0 };
  let isPartial = from.isPartial === true;
  let cursor: Cursor | undefined = from;
  while (cursor !== undefined && !isTimeUp()) {
    const page = await readPage(cursor, parts);
    done.pages += 1;
    if ('elsewhere' in page) {
      isPartial ||= page.isLeftOut;
      cursor = page.elsewhere;
      continue;
    }
    const at = entered(cursor, page);
    const onward = passedOver(at, page);
    if (onward !== undefined) {
      cursor = onward;
      continue;
    }
    const part = partOf(at, page);
    const through = throughOf(at, part.objects);
    const objects = turnsAfter({ ...at, through }, part.objects);
    const least = done.sent + done.failed === 0 ? atOnce : 0;
    const announced = isOfChildren(cursor, parts.kinds)
      ? await lookAt(objects, parts)
      : await announce(objects, {
          sender: parts.sender,
          round: cursor.round,
          source: resyncSource,
          time,
          isTimeUp,
          least,
        });
    count(announced, done, parts);
    cursor = advanced({ ...at, through }, { objects, announced, next: part.next, kinds: parts.kinds });
  }
  isPartial ||= done.failed > 0;
  if (cursor === undefined) return { ...done, isWhole: !isPartial };
  return { ...done, isWhole: false, next: { ...cursor, ...(isPartial && { isPartial }) } };
}

function isOfChildren(cursor: Cursor, kinds: readonly (Kind | ChildKind)[]): boolean {
  return selectorOf(cursor, kinds) !== '';
}

/** Which objects of a kind are meant: all of the parents. */
function selectorOf(cursor: Cursor, kinds: readonly (Kind | ChildKind)[]): string {
  const one = kinds[indexOfList(cursor, kinds)];
  return one !== undefined && 'labelSelector' in one ? one.labelSelector : '';
}

async function lookAt(children: readonly KubeObject[], parts: OrphansWith): Promise<Announced> {
  await tellOrphans(children, parts);
  return { dealtWith: children.length, sent: 0, failures: [] };
}

type Page = Awaited<ReturnType<EventContext['pager']['page']>>;

/** A page that is not to be had, and where the round goes on instead. */
interface Detour {
  readonly elsewhere: Cursor | undefined;
  /** What comes there is not all that should have come here. */
  readonly isLeftOut: boolean;
}

async function readPage(cursor: Cursor, parts: Rounding): Promise<Page | Detour> {
  const { kind, token } = cursor;
  const apiVersion = parts.kinds[indexOfList(cursor, parts.kinds)]?.apiVersion ?? '';
  const labelSelector = selectorOf(cursor, parts.kinds);
  const limit = limitOf(cursor, labelSelector === '' ? 'parents' : 'children');
  const query = { apiVersion, kind, namespace: '', labelSelector };
  try {
    return await parts.pager.page(query, { token, limit, metadataOnly: true });
  } catch (error) {
    const code = error instanceof KnudgeError ? error.code : undefined;
    // etcd has forgotten the state that the token is of, after five minutes by default.
    if (code === 'expired' && token !== '') return restarted(cursor, parts);
    if (code === 'kind-not-served') return { elsewhere: passed(cursor, parts), isLeftOut: false };
    throw error;
  }
}

/** The same part of the kind from its beginning: to be asked after twice costs reads and harms nobody. */
function restarted(cursor: Cursor, { log, kinds }: Rounding): Detour {
  const { kind, restarts } = cursor;
  log.warn({ kind, restarts }, 'resync: the list has expired');
  if (restarts >= mostRestarts) return { elsewhere: firstOfNext(cursor, kinds), isLeftOut: true };
  return { elsewhere: { ...anew(cursor), restarts: restarts + 1 }, isLeftOut: false };
}

/** Its definition is not installed: there are no objects of it, and the others have their turn. */
function passed(cursor: Cursor, { log, kinds }: Rounding): Cursor | undefined {
  log.warn({ kind: cursor.kind }, 'resync: the kind is not served');
  return firstOfNext(cursor, kinds);
}

/** Where the page ends, for as long as the round is in it. */
function throughOf({ after, through = '' }: Cursor, objects: readonly KubeObject[]): string {
  const last = objects.at(-1);
  return after === '' && last !== undefined ? keyOf(last) : through;
}

function count({ sent, failures }: Announced, done: { sent: number; failed: number }, { log }: ResyncWith): void {
  done.failed += failures.length;
  done.sent += sent;
  const [first] = failures;
  if (first === undefined) return;
  log.warn({ failed: failures.length, error: first.message }, 'resync: events could not be sent');
  if (done.sent === 0) {
    throw new KnudgeError('unavailable', `the resync could send no event at all: ${first.message}`, { cause: first });
  }
}

interface Turned {
  readonly objects: readonly KubeObject[];
  readonly announced: Announced;
  readonly next: string;
  readonly kinds: readonly Kind[];
}

/** The rest of this page, the next page, the head of the ring, the next kind, or nothing more. */
function advanced(cursor: Cursor, { objects, announced, next, kinds }: Turned): Cursor | undefined {
  const last = objects[announced.dealtWith - 1];
  if (announced.dealtWith < objects.length) return last === undefined ? cursor : { ...cursor, after: keyOf(last) };
  const head = next === '' ? headAfter(cursor) : undefined;
  if (head !== undefined) return head;
  return next === '' ? firstOfNext(cursor, kinds) : { ...cursor, token: next, after: '', through: '' };
}

function firstOfNext(cursor: Cursor, kinds: readonly Kind[]): Cursor | undefined {
  const next = kinds[indexOfList(cursor, kinds) + 1];
  const { round, key, step } = cursor;
  const keyed = key === undefined ? {} : { key };
  return next && { round, ...keyed, step, ...listOf(next), token: '', after: '', through: '', restarts: 0 };
}
