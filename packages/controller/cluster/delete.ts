import type { ObjectRef } from '../domain/kube-object.ts';
import type { Precondition } from '../domain/plan.ts';
import type { Transport } from './call.ts';
import { write } from './write.ts';

interface Deletion {
  readonly ref: ObjectRef;
  readonly precondition: Precondition;
  readonly propagation: 'Background' | 'Foreground';
}

/** Deletes this very version of this very object: `conflict` if it is another by now, `gone` if it does not exist. */
export async function deleteObject(transport: Transport, { ref, precondition, propagation }: Deletion): Promise<void> {
  const { uid, resourceVersion } = precondition;
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { uid, resourceVersion },
    propagationPolicy: propagation,
  };
  await write(transport, { ref, verb: 'delete', method: 'DELETE', body });
}
