import { describe, type ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Notice } from '../../../packages/controller/domain/plan.ts';
import { expiringReason } from '../certificates/certificate-finding.ts';
import { endpointsCondition } from '../envoy/live-endpoints.ts';
import type { DistributedService, DistributedServiceStatus } from '../types.ts';

interface News extends DistributedServiceStatus {
  readonly repaired: readonly ObjectRef[];
}

/** The Kubernetes Events for people: a new state, backends or certificates lost or found, drift that was mended. */
export function noticesOf({ status: before, metadata }: DistributedService, after: News): readonly Notice[] {
  return [
    ...ofState(before, after),
    ...ofCondition('BackendsAvailable', before, after),
    ...ofCondition('CertificatesReady', before, after),
    ...ofEndpoints(before, after),
    ...ofRepair(metadata.generation, before, after),
  ];
}

function ofState(before: DistributedServiceStatus | undefined, { state, conditions }: News): readonly Notice[] {
  if (state === undefined || state === before?.state) return [];
  const message = conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
  return [{ type: state === 'Failed' ? 'Warning' : 'Normal', reason: state, note: message }];
}

/**
 * An Event for a condition that turned, or for a certificate that is about to expire. A new condition is reported only if it is good,
 * because at the start everything is missing.
 */
function ofCondition(
  type: string,
  before: DistributedServiceStatus | undefined,
  { conditions }: News,
): readonly Notice[] {
  const now = conditions?.find((condition) => condition.type === type);
  const was = before?.conditions?.find((condition) => condition.type === type);
  const isExpiring = now?.reason === expiringReason && was?.reason !== expiringReason;
  if (now === undefined || (now.status === was?.status && !isExpiring) || now.reason === 'NotRequired') return [];
  if (was === undefined && now.status !== 'True') return [];
  const isGood = now.status === 'True' && !isExpiring;
  return [{ type: isGood ? 'Normal' : 'Warning', reason: now.reason, note: now.message }];
}

/** An Event when Envoy begins to refuse endpoints, and when it no longer does. The moment that each change takes is not reported. */
function ofEndpoints(before: DistributedServiceStatus | undefined, after: News): readonly Notice[] {
  const isOf = ({ type, status }: { readonly type: string; readonly status: string }): boolean =>
    type === endpointsCondition && status === 'False';
  const refuses = [before?.conditions, after.conditions].map((conditions) => conditions?.some(isOf) ?? false);
  return refuses.includes(true) ? ofCondition(endpointsCondition, before, after) : [];
}

/** An Event for children that this pass mended although the spec has not changed: somebody else had changed them. */
function ofRepair(
  generation: number | undefined,
  before: DistributedServiceStatus | undefined,
  { repaired }: News,
): readonly Notice[] {
  if (repaired.length === 0 || before?.observedGeneration !== generation || before?.state !== 'Running') return [];
  const note = `Brought back in line: ${repaired.map(describe).join(', ')}`;
  return [{ type: 'Normal', reason: 'Repaired', note, of: repaired }];
}
