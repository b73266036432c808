import type { ObjectRef } from '../domain/kube-object.ts';
import type { Precondition } from '../domain/plan.ts';
import { patches, type Transport } from './call.ts';
import { write } from './write.ts';

interface ScaleWrite {
  readonly ref: ObjectRef;
  readonly precondition: Precondition;
  readonly replicas: number;
}

/**
 * JSON patch on the scale subresource, which shows the uid and version of what it scales. Its tests are the precondition: in a
 * merge patch the API server ignores the uid of a custom resource.
 */
export async function writeScale(transport: Transport, { ref, precondition, replicas }: ScaleWrite): Promise<void> {
  const body = [
    { op: 'test', path: '/metadata/uid', value: precondition.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: precondition.resourceVersion },
    { op: 'add', path: '/spec/replicas', value: replicas },
  ];
  await write(transport, { ref, verb: 'scale', subresource: 'scale', contentType: patches.json, body });
}
