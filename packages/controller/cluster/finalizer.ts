import type { KubeObject, ObjectRef } from '../domain/kube-object.ts';
import type { Precondition } from '../domain/plan.ts';
import { patches, type Transport } from './call.ts';
import { writeObject } from './write.ts';

interface FinalizersWrite {
  readonly ref: ObjectRef;
  readonly precondition: Precondition;
  readonly finalizers: readonly string[];
}

/** Writes the whole list by JSON merge patch, which never creates; null removes an empty list. */
export function writeFinalizers(transport: Transport, change: FinalizersWrite): Promise<KubeObject> {
  const { ref, precondition, finalizers } = change;
  const list = finalizers.length === 0 ? null : finalizers;
  const body = { metadata: { ...precondition, finalizers: list } };
  return writeObject(transport, { ref, verb: 'finalizers', contentType: patches.merge, body });
}
