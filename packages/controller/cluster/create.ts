import { type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Transport } from './call.ts';
import { collectionPath } from './paths.ts';
import { writeObject } from './write.ts';

/** POST: `already-exists` if there is one. The API server records it as an update by Knudge (see apply.ts). */
export function createObject(transport: Transport, object: KubeObject): Promise<KubeObject> {
  const ref = refOf(object);
  return writeObject(transport, { ref, verb: 'create', method: 'POST', path: collectionPath(ref), body: object });
}
