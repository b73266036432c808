import type { DistributedService } from '../types.ts';
import { summaryOf } from './conditions.ts';
import { noticesOf } from './notices.ts';
import { complete, type StatusDecision } from './status.ts';

/**
 * The status of a service whose spec lacks a part that every decision reads. It reports that alone and keeps the other fields as they
 * were, because the children stay as they were too.
 */
export function decideUnreadableStatus(owner: DistributedService, problem: string, now: string): StatusDecision {
  const { conditions: _, lastReconciled: __, ...found } = owner.status ?? {};
  const finding = { status: 'False', reason: 'InvalidSpec', message: problem } as const;
  const findings = [{ type: 'ConfigurationValid', ...finding }, ...summaryOf('Failed', { type: 'Ready', ...finding })];
  const decided = complete(owner, { status: { ...found, state: 'Failed' }, findings, writes: false }, now);
  return { ...decided, notices: noticesOf(owner, { ...decided.status, repaired: [] }), again: false };
}
