import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import type { Change, Place } from '../objects/place.ts';
import { createHistory } from './history.ts';
import type { Journal } from './journal.ts';
import { createNews } from './news.ts';

export interface Store {
  /** The revision of the last change; never goes back. */
  revision(): number;
  get(place: Place): JsonObject | undefined;
  /** Sorted as etcd sorts keys. An empty namespace means all; undefined if `at` is too long ago. */
  list(resource: string, namespace: string, at?: number): readonly JsonObject[] | undefined;
  all(): readonly Place[];
  /** Returns what is stored: with its new resourceVersion. */
  put(place: Place, object: JsonObject): JsonObject;
  remove(place: Place): JsonObject;
  /** Every change after a revision; undefined if some of them are forgotten. */
  since(revision: number): readonly Change[] | undefined;
  /** Called after each change, in the order of the changes; returns the function that stops it. */
  subscribe(listener: (change: Change) => void): () => void;
  close(): void;
}

interface Shelf {
  readonly byName: Map<string, JsonObject>;
  sorted: readonly JsonObject[] | undefined;
}

type Shelves = Map<string, Map<string, Shelf>>;

/** Objects with one counter of revisions; remembers at least the last `historySize` changes. */
export function createStore({ historySize, journal }: { historySize: number; journal?: Journal | undefined }): Store {
  const shelves: Shelves = new Map();
  const kept = journal?.load();
  for (const { place, object } of kept?.objects ?? []) shelfOf(shelves, place).byName.set(place.name, object);
  let revision = kept?.revision ?? 0;
  const history = createHistory<Change>(historySize, revision);
  const news = createNews<Change>();

  const get = ({ resource, namespace, name }: Place) => shelves.get(resource)?.get(namespace)?.byName.get(name);
  const record = (type: Change['type'], place: Place, object: JsonObject): JsonObject => {
    const next = revision + 1;
    const { resource, namespace, name } = place;
    const metadata = { ...objectAt(object, 'metadata'), resourceVersion: String(next) };
    const change = { type, resource, namespace, name, revision: next, object: { ...object, metadata } };
    journal?.write(change);
    const shelf = shelfOf(shelves, place);
    const before = shelf.byName.get(name);
    if (type === 'DELETED') shelf.byName.delete(name);
    else shelf.byName.set(name, change.object);
    shelf.sorted = undefined;
    revision = next;
    history.add({ ...change, before });
    news.tell({ ...change, before });
    return change.object;
  };

  return {
    revision: () => revision,
    get,
    list: (resource, namespace, at = revision) => {
      const now = namespacesOf(shelves, resource, namespace).flatMap(sortedShelf);
      const changes = history.since(at);
      if (changes === undefined) return undefined;
      return changes.length === 0 ? now : rewound(now, ofResource(changes, resource, namespace));
    },
    all: () =>
      [...shelves].flatMap(([resource, spaces]) =>
        [...spaces].flatMap(([namespace, { byName }]) =>
          [...byName.keys()].map((name) => ({ resource, namespace, name })),
        ),
      ),
    put: (place, object) => record(get(place) === undefined ? 'ADDED' : 'MODIFIED', place, object),
    remove: (place) => record('DELETED', place, get(place) ?? {}),
    since: history.since,
    subscribe: news.subscribe,
    close: () => journal?.close(),
  };
}

function shelfOf(shelves: Shelves, { resource, namespace }: Place): Shelf {
  const spaces = shelves.get(resource) ?? new Map<string, Shelf>();
  shelves.set(resource, spaces);
  const shelf = spaces.get(namespace) ?? { byName: new Map(), sorted: undefined };
  spaces.set(namespace, shelf);
  return shelf;
}

function namespacesOf(shelves: Shelves, resource: string, namespace: string): readonly Shelf[] {
  const spaces = shelves.get(resource) ?? new Map<string, Shelf>();
  if (namespace !== '') return [spaces.get(namespace)].filter((shelf) => shelf !== undefined);
  return [...spaces].sort(([one], [other]) => compare(`${one}/`, `${other}/`)).map(([, shelf]) => shelf);
}

function sortedShelf(shelf: Shelf): readonly JsonObject[] {
  shelf.sorted ??= [...shelf.byName].sort(([one], [other]) => compare(one, other)).map(([, object]) => object);
  return shelf.sorted;
}

function ofResource(changes: readonly Change[], resource: string, namespace: string): readonly Change[] {
  return changes.filter(
    (change) => change.resource === resource && (namespace === '' || change.namespace === namespace),
  );
}

/** The objects as they were before these changes. */
function rewound(objects: readonly JsonObject[], changes: readonly Change[]): readonly JsonObject[] {
  const byKey = new Map(objects.map((object) => [keyOf(object), object]));
  for (const { object, before } of [...changes].reverse()) {
    if (before === undefined) byKey.delete(keyOf(object));
    else byKey.set(keyOf(object), before);
  }
  return [...byKey].sort(([one], [other]) => compare(one, other)).map(([, object]) => object);
}

/** Namespace and name as in a key of etcd: the order of a list, and where its next page starts. */
export function keyOf(object: JsonObject): string {
  const { namespace = '', name = '' } = objectAt(object, 'metadata');
  return `${String(namespace)}/${String(name)}`;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
