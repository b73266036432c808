import { collectionPath, objectPath } from '../../../packages/controller/cluster/paths.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Api } from '../../../packages/kube-api/api.ts';

/** What somebody with `kubectl` does at the embedded API, under the field manager `user`. Each throws where the API server refuses. */
export interface User {
  put(object: KubeObject): KubeObject;
  remove(ref: ObjectRef): void;
}

interface Asking {
  readonly method: string;
  readonly path: string;
  readonly object?: KubeObject;
}

export function userOf(api: Api): User {
  const ask = ({ method, path, object }: Asking): KubeObject | undefined => {
    const query = new URLSearchParams({ fieldManager: 'user' });
    const headers = { 'content-type': 'application/json' };
    const body = object === undefined ? '' : JSON.stringify(object);
    const answer = api.handle({ method, path, query, headers, body });
    if (!('status' in answer)) throw new Error(`${path}: a watch is not a call`);
    if (answer.status === 404) return undefined;
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as unknown as KubeObject;
  };
  return {
    put: (object) => {
      const ref = refOf(object);
      const live = ask({ method: 'GET', path: objectPath(ref) });
      const written =
        live === undefined
          ? ask({ method: 'POST', path: collectionPath(ref), object: withoutVersion(object) })
          : ask({ method: 'PUT', path: objectPath(ref), object: replacing(live, withoutVersion(object)) });
      if (written === undefined) throw new Error(`${describe(ref)}: the API server knows no such kind`);
      if (!('status' in object)) return written;
      const told = { ...written, status: object.status } as KubeObject;
      return ask({ method: 'PUT', path: objectPath(ref, 'status'), object: told }) ?? written;
    },
    remove: (ref) => void ask({ method: 'DELETE', path: objectPath(ref) }),
  };
}

function withoutVersion(object: KubeObject): KubeObject {
  const { managedFields: _, resourceVersion: __, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Of a Pod the API server takes no other spec, also none without what it has filled in itself: so the spec is kept. */
function replacing(live: KubeObject, object: KubeObject): KubeObject {
  const { finalizers, resourceVersion } = live.metadata;
  const metadata = {
    ...(finalizers && { finalizers }),
    ...object.metadata,
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const spec = object.kind === 'Pod' && { spec: Reflect.get(live, 'spec') };
  return { ...object, ...spec, metadata };
}
