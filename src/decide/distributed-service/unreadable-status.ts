import type { DistributedService } from '../../domain/distributed-service.ts';
import { noticesOf } from './notices.ts';
import { complete, type StatusDecision } from './status.ts';

/**
 * The status of a service whose spec lacks what every decision reads: only that is told. What was found before stays told,
 * for what was made of it stays too.
 */
export function decideUnreadableStatus(owner: DistributedService, problem: string, now: string): StatusDecision {
  const { conditions: _, lastReconciled: __, ...found } = owner.status ?? {};
  const observedGeneration = owner.metadata.generation ?? 0;
  const finding = { status: 'False', reason: 'InvalidSpec', message: problem, observedGeneration } as const;
  const findings = ['ConfigurationValid', 'Ready'].map((type) => ({ type, ...finding }));
  const decided = complete(owner, { status: { ...found, state: 'Failed' }, findings, writes: false }, now);
  return { ...decided, notices: noticesOf(owner, { ...decided.status, repaired: [] }), again: false };
}
