import { knownKind } from '../../domain/known-kinds.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import { guessedPlural, versionPath } from '../../domain/plural.ts';
import { Refused, type User } from '../user.ts';
import type { SimulatedCluster } from './cluster.ts';
import { textOf } from './spoil.ts';

/** A request of somebody who is not Knudge; throws where the API server refuses. */
export type Ask = (method: 'GET' | 'POST' | 'MERGE' | 'DELETE', path: string, body?: unknown) => unknown;

/** Requests under the field manager of kubectl; MERGE is a PATCH by JSON merge patch. */
export function askAsUser(cluster: SimulatedCluster): Ask {
  return (verb, path, body) => {
    const method = verb === 'MERGE' ? 'PATCH' : verb;
    const contentType = verb === 'MERGE' ? 'application/merge-patch+json' : 'application/json';
    const [bare = '', query = ''] = path.split('?');
    const parameters = new URLSearchParams(query);
    if (method !== 'GET' && method !== 'DELETE') parameters.set('fieldManager', 'kubectl-edit');
    const { status, body: answer } = cluster.ask({
      method,
      path: bare,
      query: parameters,
      headers: { accept: 'application/json', 'content-type': contentType },
      body: body === undefined ? '' : JSON.stringify(body),
    });
    if (status === 404 && method === 'GET') return undefined;
    if (status >= 300)
      throw new Refused(`${method} ${path} by the user: ${status} ${textOf({ body: answer }).slice(0, 300)}`);
    return answer;
  };
}

/** A merge patch of an object that is still there, as a controller of somebody else makes it; of its status, if it has that. */
export function patchAsRival(cluster: SimulatedCluster, object: KubeObject, patch: object): void {
  const part = 'status' in patch ? '/status' : '';
  cluster.ask({
    method: 'PATCH',
    path: `${pathOf(refOf(object))}${part}`,
    query: new URLSearchParams({ fieldManager: 'rival' }),
    headers: { accept: 'application/json', 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ ...patch, metadata: { uid: object.metadata.uid } }),
  });
}

export interface UserParts {
  readonly ask: Ask;
  /** Waits until all is at rest. */
  readonly rest: () => Promise<void>;
  /** A tick of the resync. */
  readonly resync: () => Promise<void>;
  /** Ends the faults. */
  readonly lift: () => void;
}

/** A person waits this many resyncs for something to go; then the cluster is mended, and it must. */
const patience = 4;

/** The person of scenario.ts on the embedded API. */
export function createUser({ ask, rest, resync, lift }: UserParts): User {
  const get = async (ref: ObjectRef) => ask('GET', pathOf(ref)) as KubeObject | undefined;
  return {
    get,
    list: async (query) => {
      const { items } = ask('GET', pathOf({ ...query, namespace: '', name: '' })) as { items: readonly KubeObject[] };
      return items.map((item) => ({ ...query, ...item }));
    },
    create: async (object) => {
      const made = ask('POST', pathOf({ ...refOf(object), name: '' }), object) as KubeObject;
      if (!('status' in object)) return made;
      return ask('MERGE', `${pathOf(refOf(object))}/status`, { status: object.status }) as KubeObject;
    },
    patch: async (ref, change) => {
      const { status, ...rest } = change as { status?: unknown };
      if (status !== undefined) ask('MERGE', `${pathOf(ref)}/status`, { status });
      return ask('MERGE', pathOf(ref), rest) as KubeObject;
    },
    delete: async (ref, propagation = 'Background') => {
      ask('DELETE', pathOf(ref), { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: propagation });
    },
    rest,
    resync,
    gone: async (ref) => {
      const uid = (await get(ref))?.metadata.uid;
      await rest();
      for (let count = 0; uid !== undefined && (await get(ref))?.metadata.uid === uid; count += 1) {
        if (count === patience) lift();
        if (count > patience)
          throw new Error(`${describe(ref)} is still there after ${patience} resyncs and one without faults`);
        await resync();
      }
    },
  };
}

/** The path of an object, of a collection where the name is empty. */
export function pathOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  const home = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${versionPath(apiVersion)}${home}/${knownKind({ apiVersion, kind })?.plural ?? guessedPlural(kind)}${name === '' ? '' : `/${name}`}`;
}
