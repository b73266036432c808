import { setTimeout as sleep } from 'node:timers/promises';
import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { guessedPlural, versionPath } from '../../../packages/controller/domain/plural.ts';
import { type ApiAnswer, jsonOf } from '../../../packages/controller/testing/calls/spoilt-answer.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import type { Upstream } from '../proxy/upstream.ts';

export interface UserParts {
  readonly upstream: Upstream;
  /** Called with each object as a write left it; of a deletion, as it was. */
  readonly wrote: (object: KubeObject, how: 'write' | 'delete') => void;
  readonly rest: User['rest'];
  readonly gone: User['gone'];
  readonly resync: User['resync'];
}

/** The person of a scenario at a real API server, past the proxy. */
export function createRealUser({ upstream, wrote, ...waits }: UserParts): User {
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    return upstream({ method, path, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  };
  const write = async (method: 'POST' | 'PATCH', path: string, body: unknown): Promise<KubeObject> => {
    const object = objectIn(await ask(method, `${path}?fieldManager=kubectl-edit`, body), `${method} ${path}`);
    wrote(object, 'write');
    return object;
  };
  const get = async (ref: ObjectRef): Promise<KubeObject | undefined> => {
    const answer = await ask('GET', pathOf(ref));
    return answer.status === 404 ? undefined : objectIn(answer, `GET ${pathOf(ref)}`);
  };
  return {
    get,
    list: async (query) => {
      const path = `${versionPath(query.apiVersion)}/${guessedPlural(query.kind)}`;
      const { items } = objectIn(await ask('GET', path), path) as unknown as { items: readonly KubeObject[] };
      return items.map((item) => ({ ...query, ...item }));
    },
    create: async (object) => {
      const { status, ...rest } = object as KubeObject & { readonly status?: unknown };
      const made = await createPatiently(() => write('POST', pathOf({ ...refOf(object), name: '' }), plain(rest)), ask);
      return status === undefined ? made : write('PATCH', `${pathOf(refOf(object))}/status`, { status });
    },
    patch: async (ref, change) => {
      const { status, ...rest } = change;
      const written = status === undefined ? undefined : await write('PATCH', `${pathOf(ref)}/status`, { status });
      if (written !== undefined && Object.keys(rest).length === 0) return written;
      return write('PATCH', pathOf(ref), rest);
    },
    delete: async (ref, propagation = 'Background') => {
      const before = await get(ref);
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: propagation };
      const answer = await ask(
        'DELETE',
        pathOf(ref),
        ref.kind === 'Pod' ? { ...options, gracePeriodSeconds: 0 } : options,
      );
      refuse(answer, `DELETE ${pathOf(ref)}`);
      if (before !== undefined) wrote(before, 'delete');
    },
    ...waits,
  };
}

/** A Pod as it was asked for: else it gets a volume of a random name, by which two runs cannot be compared. */
function plain(object: KubeObject): KubeObject {
  if (object.kind !== 'Pod' || !('spec' in object)) return object;
  return { ...object, spec: { automountServiceAccountToken: false, ...(object.spec as object) } } as KubeObject;
}

/** Without a name: the collection. */
export function pathOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  const home = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${versionPath(apiVersion)}${home}/${guessedPlural(kind)}${name === '' ? '' : `/${name}`}`;
}

function objectIn(answer: ApiAnswer, what: string): KubeObject {
  refuse(answer, what);
  return jsonOf(answer) as KubeObject;
}

function refuse({ status, text }: ApiAnswer, what: string): void {
  if (status >= 300) throw new Error(`${what} by the user: ${String(status)} ${text.slice(0, 300)}`);
}

/** A namespace that is a moment old has no ServiceAccount yet, and takes no Pods; a shared one may not be there at all. */
async function createPatiently(
  create: () => Promise<KubeObject>,
  ask: (method: string, path: string, body?: unknown) => Promise<ApiAnswer>,
): Promise<KubeObject> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await create();
    } catch (error) {
      const said = String(error);
      const missing = /namespaces \\?"([^"\\]+)\\?" not found/.exec(said)?.[1];
      if (tries > 100 || (missing === undefined && !/error looking up service account/.test(said))) throw error;
      if (missing !== undefined) {
        await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: missing } });
      }
      await sleep(20);
    }
  }
}
