import { KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Precondition, Status } from '../domain/plan.ts';
import { patches, type Transport } from './call.ts';
import { writeObject } from './write.ts';

interface StatusWrite {
  readonly ref: ObjectRef;
  readonly precondition: Precondition;
  readonly status: Status;
}

/**
 * Server-side apply of the status alone; what an earlier status had and this one has not goes. On the status of a custom
 * resource the API server checks the resourceVersion, which no two objects share, and overlooks the uid: an answer
 * from another object is a `conflict` all the same.
 */
export async function applyStatus(
  transport: Transport,
  { ref, precondition, status }: StatusWrite,
): Promise<KubeObject> {
  const { apiVersion, kind, namespace, name } = ref;
  const metadata = { name, ...(namespace !== '' && { namespace }), ...precondition };
  const after = await writeObject(transport, {
    ref,
    verb: 'status',
    subresource: 'status',
    contentType: patches.apply,
    force: true,
    body: { apiVersion, kind, metadata, status },
  });
  if (after.metadata.uid === precondition.uid) return after;
  throw new KnudgeError('conflict', `status of ${describe(ref)}: it is another object than the one that was read`);
}
