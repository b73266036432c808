import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { manager } from '../../../packages/controller/domain/names.ts';
import { insistedOn } from '../../../packages/controller/testing/insisted-on.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import { seenObject } from './accessors.ts';
import { lastRead, type Pass } from './passes.ts';

/**
 * R2: what is wrong with the precondition of a write; undefined if it insists on the very object and version that this
 * pass knew last, read or written by itself. A creation needs none but that nothing was there.
 */
export function preconditionBreach(pass: Pass, call: TracedCall, role: string): string | undefined {
  if (call.verb === 'create') return lastRead(pass, role, call.at).object && 'was created although it was there (R2)';
  const { uid, resourceVersion } = insistedOn(call);
  if (uid === undefined) return `was written by ${call.verb} without a uid (R2)`;
  if (resourceVersion === undefined) return `was written by ${call.verb} without a resourceVersion (R2)`;
  const known = knownBefore(pass, call, role);
  if (known === undefined) return `was written by ${call.verb} although it was not there (R2)`;
  const isThat = known.metadata.uid === uid && known.metadata.resourceVersion === resourceVersion;
  if (!isThat) return `was written by ${call.verb} over another version than was read (R2)`;
  return call.verb === 'apply' && role !== 'owner' ? leftPosted(known) : undefined;
}

/**
 * An apply takes away only what an earlier apply has set: as long as what was posted is recorded as `Update`, a field
 * that is no longer wanted stays (measured on kube-apiserver 1.35).
 */
function leftPosted({ metadata: { managedFields = [] } }: KubeObject): string | undefined {
  const isPosted = managedFields.some(
    (entry) => entry.manager === manager && entry.operation === 'Update' && (entry.subresource ?? '') === '',
  );
  return isPosted ? 'was applied over before what was posted of it was made applied' : undefined;
}

/** What this pass knew last of the object: by its own write, or by its read. */
function knownBefore(pass: Pass, call: TracedCall, role: string): KubeObject | undefined {
  const own = pass.steps.findLast(
    (step) => step.role === role && step.call.at < call.at && step.call.verb !== 'delete' && isAnswered(step.call),
  );
  return own && seenObject(own.call);
}

function isAnswered(call: TracedCall): boolean {
  return seenObject(call) !== undefined || (call.verb === 'get' && call.seen.status === 404);
}
