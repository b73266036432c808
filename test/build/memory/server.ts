import type { Ending, Sending } from '../../../packages/controller/cluster/exchange.ts';
import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { createChance } from '../../../packages/controller/testing/sim/random.ts';
import { memoryJournal } from '../../../packages/controller/testing/sim/snapshot.ts';
import { ending } from '../../../packages/controller/testing/sim/spoil.ts';
import { createApi } from '../../../packages/kube-api/api.ts';
import { type Beginning, beginningWith, namespace, type Schemas } from './beginning.ts';
import { userOf } from './user.ts';

export interface ServerOptions {
  /** If absent, there is a namespace for each object that a user puts. */
  readonly namespaces?: readonly string[];
  /** Asked for each object that is made or deleted: time goes on with them alone. */
  readonly now?: () => string;
  /** `ours` if absent. */
  readonly schemas?: Schemas;
  /** Begins with what such a server kept, in place of an empty one. */
  readonly from?: KeptServer;
}

/** A server at a moment: another one can begin with it, which costs less than to do everything once more. */
export interface KeptServer extends Beginning {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The uids of what neither a test nor Knudge has made. */
  readonly furniture: ReadonlySet<string | undefined>;
}

/** The embedded API, the same each time: with a user, and a garbage collector that works when it is told to. */
export interface MemoryServer {
  /** One request of Knudge's client. */
  readonly exchange: (sending: Sending) => Promise<Ending>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Every object but Events that a test or Knudge has made, sorted by namespace and name. */
  objects(): readonly KubeObject[];
  put(object: KubeObject): KubeObject;
  remove(ref: ObjectRef): void;
  collectGarbage(): void;
  keep(): KeptServer;
}

export function startServer({ namespaces, now, schemas = 'ours', from }: ServerOptions): MemoryServer {
  const { next: random, uuid } = createChance(from === undefined ? 1 : 2);
  const waiting: (() => void)[] = [];
  /** What the object that is being put is to have: the server makes up all others. */
  let uid: string | undefined;
  let time = from?.time ?? Date.parse(beginning);
  const tick = (method: string): void => {
    if (now !== undefined && (method === 'POST' || method === 'DELETE')) time = Date.parse(now());
  };
  const { journal, read } = memoryJournal(from ?? beginningWith(schemas));
  const api = createApi({
    journal,
    now: () => time,
    schedule: (task) => void waiting.push(task),
    after: () => () => undefined,
    newUid: () => uid ?? uuid(),
    random,
  });
  const insistOnNamespace = (name: string): void => {
    const ref = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name };
    furniture.add((api.client.get(ref) ?? api.client.create(namespace(name))).metadata.uid);
  };
  const furniture = new Set(from?.furniture ?? api.client.all().map(({ metadata }) => metadata.uid));
  for (const name of namespaces ?? []) insistOnNamespace(name);
  const user = userOf(api);
  const isMade = ({ kind, metadata }: KubeObject): boolean => kind !== 'Event' && !furniture.has(metadata.uid);
  return {
    exchange: async ({ method, url, headers, body = '' }) => {
      tick(method);
      const answer = api.handle({ method, path: url.pathname, query: url.searchParams, headers, body });
      if (!('status' in answer)) throw new Error(`${url.pathname}: a watch is not a call`);
      return ending(answer);
    },
    now: () => time,
    keep: () => ({ ...read(), time, furniture: new Set(furniture) }),
    objects: () => api.client.all().filter(isMade).sort(byPlace),
    put: (object) => {
      const { namespace: home } = object.metadata;
      if (namespaces === undefined && home !== undefined) insistOnNamespace(home);
      tick('POST');
      uid = object.metadata.uid;
      try {
        return user.put(object);
      } finally {
        uid = undefined;
      }
    },
    remove: (ref) => {
      tick('DELETE');
      user.remove(ref);
    },
    collectGarbage: () => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) task();
    },
  };
}

const beginning = '2026-01-01T00:00:00Z';

function byPlace(one: KubeObject, other: KubeObject): number {
  return placeOf(one) < placeOf(other) ? -1 : 1;
}

function placeOf({ kind, metadata }: KubeObject): string {
  return [metadata.namespace ?? '', metadata.name, kind].join('/');
}
