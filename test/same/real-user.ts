import { collectionPath, objectPath } from '../../packages/controller/cluster/paths.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { Answer, apiFrom } from '../kube/api.ts';
import { type Arena, field } from './arena.ts';

type Api = ReturnType<typeof apiFrom>;

/** Somebody who writes to a real API server under another field manager, with plain POST, PUT and DELETE. */
export function realUser(request: Api): Arena['user'] {
  return {
    put: async (object) => {
      const ref = refOf(object);
      const written = await createOrReplace(request, object);
      const status = field(object, 'status');
      const main = objectOf(written, ref);
      if (status === undefined) return main;
      return objectOf(await replaceStatus(request, main, status), ref);
    },
    remove: async (ref) => {
      const { status, body } = await request('DELETE', objectPath(ref));
      if (status >= 300 && status !== 404) throw new Error(`delete of ${describe(ref)}: ${JSON.stringify(body)}`);
    },
  };
}

/** Tries again when somebody, such as the garbage collector, wrote in between; five times at most. */
async function createOrReplace(request: Api, object: KubeObject): Promise<Answer> {
  const ref = refOf(object);
  const query = { fieldManager: 'user' };
  for (let tries = 1; ; tries += 1) {
    const live = await request('GET', objectPath(ref));
    const written =
      live.status === 404
        ? await request('POST', collectionPath(ref), { body: object, query })
        : await request('PUT', objectPath(ref), { body: replacement(object, live), query });
    if (written.status !== 409 || tries === 5) return written;
  }
}

/** The same for its status, which a controller of the cluster may be writing too. */
async function replaceStatus(request: Api, main: KubeObject, status: unknown): Promise<Answer> {
  const ref = refOf(main);
  const query = { fieldManager: 'user' };
  for (let tries = 1, body: object = main; ; tries += 1) {
    const written = await request('PUT', objectPath(ref, 'status'), { body: { ...body, status }, query });
    if (written.status !== 409 || tries === 5) return written;
    body = objectOf(await request('GET', objectPath(ref)), ref);
  }
}

/** What the object says, over the version that is there. */
function replacement(object: KubeObject, live: Answer): KubeObject {
  const metadata = new Map(Object.entries(Object(new Map(Object.entries(Object(live.body))).get('metadata'))));
  const kept = Object.fromEntries(['resourceVersion', 'finalizers'].map((name) => [name, metadata.get(name)]));
  const { managedFields: _, resourceVersion: __, ...own } = object.metadata;
  return { ...object, metadata: { ...kept, ...own } };
}

function objectOf({ status, body }: Answer, ref: ObjectRef): KubeObject {
  if (status >= 300) throw new Error(`write of ${describe(ref)}: ${JSON.stringify(body)}`);
  return body as KubeObject;
}
