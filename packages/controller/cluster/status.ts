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
 * Server-side apply of only the status; fields of the last status that this one lacks are removed. For the status of a custom
 * resource the API server checks the resourceVersion, which no two objects share, and ignores the uid: an answer with
 * another object is still a `conflict`.
 */
export async function applyStatus(transport: Transport, write: StatusWrite): Promise<KubeObject> {
  const after = await applyOrMerge(transport, write);
  const nobodys = leftIn(after, write.status);
  if (nobodys.length === 0) return after;
  const status = Object.fromEntries(nobodys.map((field) => [field, null]));
  const { uid } = write.precondition;
  const { resourceVersion = '' } = after.metadata;
  return mergeStatus(transport, { ref: write.ref, precondition: { uid, resourceVersion }, status });
}

/** An object that was stored broken takes no apply: then a merge patch writes the same, which repairs it. */
async function applyOrMerge(transport: Transport, write: StatusWrite): Promise<KubeObject> {
  const { ref, precondition, status } = write;
  const { apiVersion, kind, namespace, name } = ref;
  const metadata = { name, ...(namespace !== '' && { namespace }), ...precondition };
  try {
    const after = await writeObject(transport, {
      ref,
      verb: 'status',
      subresource: 'status',
      contentType: patches.apply,
      force: true,
      body: { apiVersion, kind, metadata, status },
    });
    return isOf(after, write);
  } catch (error) {
    if (error instanceof KnudgeError && error.code === 'stored-broken') return mergeStatus(transport, write);
    throw error;
  }
}

/**
 * Fields of the status that were not applied and are still there. An apply removes only fields that its manager owns,
 * and a PUT of the object in a version that is not the stored one takes the status from its manager (measured on
 * kube-apiserver 1.35). The status has no other writer, except for conditions.
 */
function leftIn(after: KubeObject, applied: Status): readonly string[] {
  const { status }: KubeObject & { readonly status?: unknown } = after;
  return Object.keys(status ?? {}).filter((field) => !(field in applied));
}

async function mergeStatus(
  transport: Transport,
  write: Omit<StatusWrite, 'status'> & { readonly status: Readonly<Record<string, unknown>> | Status },
): Promise<KubeObject> {
  const { ref, precondition, status } = write;
  const body = { metadata: precondition, status };
  const change = { ref, verb: 'status', subresource: 'status', contentType: patches.merge, body } as const;
  return isOf(await writeObject(transport, change), write);
}

function isOf(after: KubeObject, { ref, precondition }: Omit<StatusWrite, 'status'>): KubeObject {
  if (after.metadata.uid === precondition.uid) return after;
  throw new KnudgeError('conflict', `status of ${describe(ref)}: the object was replaced after it was read`);
}
