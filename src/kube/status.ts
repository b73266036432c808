import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';
import type { Precondition, Status } from '../domain/plan.ts';
import type { Transport } from './call.ts';
import { patches, writeObject } from './write.ts';

interface StatusWrite {
  readonly ref: ObjectRef;
  readonly precondition: Precondition;
  readonly status: Status;
}

/** Server-side apply of the status alone; what an earlier status had and this one has not goes. */
export function applyStatus(transport: Transport, { ref, precondition, status }: StatusWrite): Promise<KubeObject> {
  const { apiVersion, kind, namespace, name } = ref;
  const metadata = { name, ...(namespace !== '' && { namespace }), ...precondition };
  return writeObject(transport, {
    ref,
    verb: 'status',
    subresource: 'status',
    contentType: patches.apply,
    force: true,
    body: { apiVersion, kind, metadata, status },
  });
}
