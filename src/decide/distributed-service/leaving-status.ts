import type { Finding } from '../../domain/conditions.ts';
import type { DistributedService } from '../../domain/distributed-service.ts';
import { describe, refOf } from '../../domain/kube-object.ts';
import { cleanupFinalizer } from '../../domain/names.ts';
import { refusalReason } from '../refusal.ts';
import type { Given } from '../resource.ts';
import { blockedMessage, type Cleanup } from './cleanup.ts';
import { noticesOf } from './notices.ts';
import { complete, type StatusDecision } from './status.ts';

/** The status of a service that is being deleted: what is still there and, past the deadline, what holds it. */
export function decideLeavingStatus(owner: DistributedService, cleanup: Cleanup, given: Given): StatusDecision {
  const { activeEndpoints, endpoints, serverProfile, address, selector } = owner.status ?? {};
  const kept = { activeEndpoints, endpoints, serverProfile, address, selector };
  const told = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  const draft = {
    status: { ...told, state: 'Terminating' as const },
    findings: findings(owner, cleanup, given),
    writes: cleanup.writes.length > 0,
  };
  const decided = complete(owner, draft, given.now);
  return { ...decided, notices: noticesOf(owner, { ...decided.status, repaired: [] }), again: false };
}

function findings(owner: DistributedService, cleanup: Cleanup, { refusal }: Given): readonly Finding[] {
  const observedGeneration = owner.metadata.generation ?? 0;
  const remaining = cleanup.remaining.map((child) => describe(refOf(child))).join(', ');
  const message = `Waiting for ${cleanup.done ? `the finalizer ${cleanupFinalizer}` : remaining} to go`;
  const ready: Finding = { type: 'Ready', status: 'False', reason: 'Terminating', message, observedGeneration };
  if (refusal !== undefined) {
    return [ready, { type: 'CleanupBlocked', status: 'True', ...refusalReason(refusal), observedGeneration }];
  }
  if (!cleanup.blocked) return [ready];
  const blocked = {
    status: 'True',
    reason: 'DeadlinePassed',
    message: blockedMessage(owner, cleanup.remaining),
  } as const;
  return [ready, { type: 'CleanupBlocked', ...blocked, observedGeneration }];
}
