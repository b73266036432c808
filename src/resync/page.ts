import { KnudgeError } from '../domain/errors.ts';
import { type KubeObject, refOf } from '../domain/kube-object.ts';
import type { EventContext } from '../domain/ports.ts';
import { timeOf } from '../domain/time.ts';
import { type Announced, announce } from './announce.ts';
import type { Cursor, Kind } from './cursor.ts';

/** Objects of one page. Metadata alone is seldom more than 2 KB each. */
const pageSize = 100;

/** A kind whose token expires more often than this is left to the next tick, or a round might never end. */
const mostRestarts = 2;

export interface ResyncWith extends EventContext {
  readonly kinds: readonly Kind[];
}

/** What one invocation has done of a round. */
export interface Progress {
  readonly pages: number;
  readonly sent: number;
  readonly failed: number;
  /** Where the next invocation goes on; absent when the round is through. */
  readonly next?: Cursor;
}

/**
 * Works through the parents page by page, one event to the Broker for each, until all are through or the time is up.
 * An event that could not be sent is counted and left to the next tick; throws `unavailable` where none could be.
 */
export async function announceParents(from: Cursor, parts: ResyncWith): Promise<Progress> {
  const began = parts.now();
  const isTimeUp = (): boolean => parts.now() - began >= parts.workSeconds * 1000;
  const time = (): string => timeOf(parts.now() / 1000);
  const done = { pages: 0, sent: 0, failed: 0 };
  let cursor: Cursor | undefined = from;
  while (cursor !== undefined && !isTimeUp()) {
    const page = await readPage(cursor, parts);
    done.pages += 1;
    if (page === undefined) {
      cursor = restarted(cursor, parts);
      continue;
    }
    const objects = objectsAfter(cursor.after, page.objects);
    const announced = await announce(objects, { sender: parts.sender, round: cursor.round, time, isTimeUp });
    count(announced, done, parts);
    cursor = advanced(cursor, { objects, announced, next: page.next, kinds: parts.kinds });
  }
  return cursor === undefined ? done : { ...done, next: cursor };
}

type Page = Awaited<ReturnType<EventContext['pager']['page']>>;

/** Undefined where the token is too old: etcd has forgotten that state, after five minutes unless told otherwise. */
async function readPage({ kind, token }: Cursor, { pager, kinds }: ResyncWith): Promise<Page | undefined> {
  const apiVersion = kinds.find((one) => one.kind === kind)?.apiVersion ?? '';
  const query = { apiVersion, kind, namespace: '', labelSelector: '' };
  try {
    return await pager.page(query, { token, limit: pageSize, metadataOnly: true });
  } catch (error) {
    if (error instanceof KnudgeError && error.code === 'expired' && token !== '') return undefined;
    throw error;
  }
}

/** The same kind from its beginning: to be asked after twice costs reads and harms nobody. */
function restarted(cursor: Cursor, { log, kinds }: ResyncWith): Cursor | undefined {
  const { kind, restarts } = cursor;
  log.warn({ kind, restarts }, 'resync: the list has expired');
  if (restarts >= mostRestarts) return firstOfNext(cursor, kinds);
  return { ...cursor, token: '', after: '', restarts: restarts + 1 };
}

/** What comes after the object that was announced last; all of them if it has gone meanwhile. */
function objectsAfter(after: string, objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.slice(objects.findIndex((object) => keyOf(object) === after) + 1);
}

function keyOf(object: KubeObject): string {
  const { namespace, name } = refOf(object);
  return `${namespace}/${name}`;
}

function count({ dealtWith, failures }: Announced, done: { sent: number; failed: number }, { log }: ResyncWith): void {
  done.failed += failures.length;
  done.sent += dealtWith - failures.length;
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

/** The rest of this page, the next page, the next kind, or nothing more. */
function advanced(cursor: Cursor, { objects, announced, next, kinds }: Turned): Cursor | undefined {
  const last = objects[announced.dealtWith - 1];
  if (announced.dealtWith < objects.length) return last === undefined ? cursor : { ...cursor, after: keyOf(last) };
  return next === '' ? firstOfNext(cursor, kinds) : { ...cursor, token: next, after: '' };
}

function firstOfNext(cursor: Cursor, kinds: readonly Kind[]): Cursor | undefined {
  const next = kinds[kinds.findIndex(({ kind }) => kind === cursor.kind) + 1];
  return next && { ...cursor, kind: next.kind, token: '', after: '', restarts: 0 };
}
