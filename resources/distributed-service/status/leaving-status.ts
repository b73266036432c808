import { refusalReason } from '../../../packages/controller/decide/refusal.ts';
import type { Answer } from '../../../packages/controller/domain/conditions.ts';
import { describe, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Refusal } from '../../../packages/controller/domain/plan.ts';
import { blockedMessage, type Cleanup } from '../cleanup.ts';
import type { Given } from '../given.ts';
import { cleanupFinalizer } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { noticesOf } from './notices.ts';
import { complete, type StatusDecision } from './status.ts';

interface Leaving extends Cleanup {
  /** Finalizers of others, which keep the object after ours has gone. */
  readonly others: readonly string[];
}

/** The status of a service that is being deleted: what still exists and, past the deadline, what keeps it. */
export function decideLeavingStatus(owner: DistributedService, cleanup: Leaving, given: Given): StatusDecision {
  const { activeEndpoints, endpoints, serverProfile, identityDigest, address, selector } = owner.status ?? {};
  const kept = { activeEndpoints, endpoints, serverProfile, identityDigest, address, selector };
  const told = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  const draft = {
    status: { ...told, state: 'Terminating' as const },
    findings: findings(owner, cleanup, given),
    writes: cleanup.writes.length > 0,
  };
  const decided = complete(owner, draft, given.now);
  return { ...decided, notices: noticesOf(owner, { ...decided.status, repaired: [] }), again: false };
}

function findings(owner: DistributedService, cleanup: Leaving, { refusal, held }: Given): readonly Answer[] {
  const remaining = cleanup.remaining.map((child) => describe(refOf(child)));
  const awaited = cleanup.done ? finalizersOf(cleanup, refusal) : remaining;
  const message = `Waiting for ${awaited.join(', ')} to go`;
  const ready: Answer = { type: 'Ready', status: 'False', reason: 'Terminating', message };
  if (refusal !== undefined) {
    return [ready, { type: 'CleanupBlocked', status: 'True', ...refusalReason(refusal) }];
  }
  if (held !== undefined) {
    return [ready, { type: 'CleanupBlocked', status: 'True', reason: 'Flapping', message: held.message }];
  }
  if (!cleanup.blocked) return [ready];
  const blocked = {
    status: 'True',
    reason: 'DeadlinePassed',
    message: blockedMessage(owner, cleanup.remaining),
  } as const;
  return [ready, { type: 'CleanupBlocked', ...blocked }];
}

/** The finalizers that the service waits for. This pass removes ours, unless the API server refused that. */
function finalizersOf({ others }: Leaving, refusal: Refusal | undefined): readonly string[] {
  return (refusal === undefined ? others : [cleanupFinalizer]).map((name) => `the finalizer ${name}`);
}
