import type { ObjectRef } from '../domain/kube-object.ts';
import type { Precondition } from '../domain/plan.ts';
import type { Transport } from './call.ts';
import { patches, write } from './write.ts';

interface ScaleWrite {
  readonly ref: ObjectRef;
  readonly precondition: Precondition;
  readonly replicas: number;
}

/** JSON merge patch on the scale subresource, which shows uid and resourceVersion of the object it scales. */
export async function writeScale(transport: Transport, { ref, precondition, replicas }: ScaleWrite): Promise<void> {
  const body = { metadata: { ...precondition }, spec: { replicas } };
  await write(transport, { ref, verb: 'scale', subresource: 'scale', contentType: patches.merge, body });
}
