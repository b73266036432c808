import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { expired, insistOnOptions } from '../objects/list.ts';
import type { Change } from '../objects/place.ts';
import type { Kind } from '../schema/kind.ts';
import { apiVersionOf } from '../schema/kind.ts';
import { textOf } from '../text.ts';
import type { Presentation } from './present.ts';
import { presentObject } from './present.ts';
import { ApiProblem } from './problem.ts';
import type { ServerContext } from './request.ts';

export interface Watched {
  readonly resource: string;
  readonly namespace: string;
  readonly presentation: Presentation;
  readonly serve: (object: JsonObject) => JsonObject;
  readonly isSelected: ((object: JsonObject) => boolean) | undefined;
}

/** Milliseconds between the bookmarks of a watch that asked for them, as on the real server. */
const bookmarkPause = 60_000;

type Send = (line: string) => void;

/** A watch that begins at the place that the query names; an event a line. Throws 422 and 500 for a wrong query. */
export function startWatch(world: ServerContext, query: URLSearchParams, watched: Watched) {
  const { store } = world;
  const { from, isInitial, isMarked, hasBookmarks, seconds } = parseWatch(query);
  return (send: Send, ended: () => void): (() => void) => {
    const past = isInitial ? [] : store.since(from);
    if (past === undefined) {
      send(eventLine('ERROR', expired(from, store.revision()).status()));
      ended();
      return () => {};
    }
    const begun = store.revision();
    const sendEvent = eventSender(watched, send);
    const mark = (isEnd: boolean) =>
      sendEvent('BOOKMARK', bookmark(watched.presentation.kind, store.revision(), isEnd));
    if (isInitial) sendState(world, watched, sendEvent);
    if (isMarked) mark(true);
    for (const change of past) sendChange(change, watched, sendEvent);
    const stops = [store.subscribe((change) => change.revision > begun && sendChange(change, watched, sendEvent))];
    const stop = () => {
      for (const one of stops.splice(0)) one();
    };
    const end = () => {
      stop();
      ended();
    };
    if (hasBookmarks) stops.push(every(world, () => mark(false)));
    if (seconds > 0) stops.push(world.after(seconds * 1000, end));
    return stop;
  };
}

function parseWatch(query: URLSearchParams) {
  insistOnOptions(query, true);
  const from = parseFrom(query.get('resourceVersion') ?? '');
  const [initial, hasBookmarks] = [query.get('sendInitialEvents'), isTrue(query.get('allowWatchBookmarks'))];
  return {
    from,
    isInitial: initial === 'true' || (from === 0 && initial !== 'false'),
    /** Whether the end of the initial state is marked. */
    isMarked: initial === 'true' && hasBookmarks,
    hasBookmarks,
    seconds: Number(query.get('timeoutSeconds') ?? 0),
  };
}

/** The answer of a watch differs from that of a list: 500 and without a reason (measured on 1.35). */
function parseFrom(text: string): number {
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw new ApiProblem(500, '', { message: `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}` });
}

/** Any value but a false one, as Go's clients and servers agree. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}

type SendEvent = (type: Change['type'] | 'BOOKMARK', object: JsonObject) => void;

/** The columns of a table are named in the first event only. */
function eventSender({ presentation }: Watched, send: Send): SendEvent {
  let isFirst = true;
  return (type, object) => {
    const shown = presentObject(object, { ...presentation, noHeaders: !isFirst });
    isFirst = false;
    send(eventLine(type, shown));
  };
}

function eventLine(type: string, object: JsonObject): string {
  return `{"type":"${type}","object":${textOf(object)}}\n`;
}

function sendState(
  { store }: ServerContext,
  { resource, namespace, serve, isSelected }: Watched,
  send: SendEvent,
): void {
  for (const stored of store.list(resource, namespace) ?? []) {
    const object = serve(stored);
    if (isSelected?.(object) !== false) send('ADDED', object);
  }
}

/** Sends a change as a watch with a selection sees it. */
function sendChange(change: Change, { resource, namespace, serve, isSelected }: Watched, send: SendEvent): void {
  if (change.resource !== resource || (namespace !== '' && change.namespace !== namespace)) return;
  const object = serve(change.object);
  if (isSelected === undefined) {
    send(change.type, object);
    return;
  }
  const was = change.before !== undefined && isSelected(serve(change.before));
  const is = change.type !== 'DELETED' && isSelected(object);
  if (is) send(was ? 'MODIFIED' : 'ADDED', object);
  else if (was) send('DELETED', leaving(change, serve));
}

/** The last selected state, with the revision of the change that ended it. */
function leaving({ before, object, revision }: Change, serve: Watched['serve']): JsonObject {
  const last = serve(before ?? object);
  return { ...last, metadata: { ...objectAt(last, 'metadata'), resourceVersion: String(revision) } };
}

function bookmark(kind: Kind, revision: number, isEndOfState: boolean): JsonObject {
  const annotations = isEndOfState ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  return {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata: { resourceVersion: String(revision), ...annotations },
  };
}

function every(world: ServerContext, task: () => void): () => void {
  let stop = () => {};
  const again = () => {
    stop = world.after(bookmarkPause, () => {
      task();
      again();
    });
  };
  again();
  return () => stop();
}
