import type { KubeObject, ObjectMeta } from '../../../packages/controller/domain/kube-object.ts';
import type { Watched } from '../../../packages/source/collection.ts';

/** An object of a script: what stands in it besides its name, uid and version. */
export interface Body {
  readonly [field: string]: unknown;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A change as a watch reports it. */
export interface Entry {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  /** When it came about. */
  readonly at: number;
  readonly place: string;
  readonly uid: string;
  readonly object: KubeObject;
}

interface Change {
  readonly version: number;
  readonly at: number;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** What the API server keeps of a few objects, with all that has happened to them. */
export interface Cluster {
  version(): number;
  /** Makes or changes an object of a kind: `shop/web`. */
  put(kind: string, place: string, body: Body): void;
  remove(kind: string, place: string): void;
  /** All that a watch of this collection would have reported so far. */
  log(watched: Watched): readonly Entry[];
  /** Forgets what has happened before this: a client that goes on from there learns that it has expired. */
  compact(): void;
  compacted(): number;
  /** What is called after each change. */
  changed(call: () => void): void;
}

export function createCluster(now: () => number): Cluster {
  const objects = new Map<string, KubeObject>();
  const changes: Change[] = [];
  const calls: (() => void)[] = [];
  let version = 100;
  let forgotten = 0;
  let uids = 0;
  const happen = (key: string, after: KubeObject | undefined): void => {
    changes.push({ version, at: now(), before: objects.get(key), after });
    if (after === undefined) objects.delete(key);
    else objects.set(key, after);
    for (const call of calls) call();
  };
  return {
    version: () => version,
    put: (kind, place, { labels = { app: 'knudge' }, ...fields }) => {
      const key = `${kind} ${place}`;
      const [namespace = '', name = ''] = place.split('/');
      version += 1;
      const before = objects.get(key);
      if (before === undefined) uids += 1;
      const uid = before?.metadata.uid ?? `u${uids}`;
      const metadata: ObjectMeta = { name, namespace, uid, resourceVersion: String(version), labels };
      happen(key, { apiVersion: 'v1', kind, metadata, ...fields });
    },
    remove: (kind, place) => {
      version += 1;
      happen(`${kind} ${place}`, undefined);
    },
    log: (watched) => changes.flatMap((change) => entryOf(change, watched)),
    compact: () => {
      forgotten = version;
    },
    compacted: () => forgotten,
    changed: (call) => void calls.push(call),
  };
}

/** What is there, by place. */
export function present(log: readonly Entry[]): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  for (const entry of log) {
    if (entry.type === 'DELETED') found.delete(entry.place);
    else found.set(entry.place, entry);
  }
  return found;
}

/** An object that comes to be selected is added, one that is not any more deleted, whatever became of it. */
function entryOf({ version, at, before, after }: Change, { kind, selector }: Watched): readonly Entry[] {
  if ((after ?? before)?.kind !== kind) return [];
  const [was, is] = [isSelected(before, selector), isSelected(after, selector)];
  const object = is ? after : before;
  if (object === undefined || (!was && !is)) return [];
  const { namespace = '', name, uid = '' } = object.metadata;
  const metadata = { ...object.metadata, resourceVersion: String(version) };
  const type = is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED';
  return [{ type, version, at, place: `${namespace}/${name}`, uid, object: { ...object, metadata } }];
}

function isSelected(object: KubeObject | undefined, selector: string): boolean {
  if (object === undefined || selector === '') return object !== undefined;
  const [label = '', value] = selector.split('=');
  return object.metadata.labels?.[label] === value;
}
