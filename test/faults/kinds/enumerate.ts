import {
  type Boundary,
  boundariesOf as boundariesIn,
  faultAt,
  nameOf,
} from '../../../packages/controller/testing/kinds/boundaries.ts';
import type { FaultKind } from '../../../packages/controller/testing/kinds/kind.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { isParent } from '../oracles/accessors.ts';
import type { FaultPlan } from '../plan.ts';

/** The calls of a run of ours without faults. */
export function boundariesOf(trace: Pick<Trace, 'calls' | 'marks'>): readonly Boundary[] {
  return boundariesIn(trace, isParent);
}

/** Every call with every kind of fault that can hit it: a plan each. */
export function singleFaults(
  scenario: string,
  boundaries: readonly Boundary[],
  kinds: readonly FaultKind[],
): readonly FaultPlan[] {
  return boundaries.flatMap((boundary) =>
    kinds
      .filter(({ appliesTo }) => appliesTo(boundary.call))
      .map((kind) => ({
        kind: 'faults' as const,
        about: `${kind.id} at ${nameOf(boundary)}: ${kind.says}`,
        scenario,
        faults: [faultAt(boundary, kind)],
      })),
  );
}

/**
 * Whether the cluster may end otherwise than without the faults although all is right: what somebody did stays done. A
 * child that was deleted comes back, an input or a parent does not, and a squatter stays.
 */
export function altersEnd({ faults }: FaultPlan): boolean {
  return faults.some(({ action, match }) => {
    if (action.do !== 'meddle') return false;
    if (action.how === 'delete' || action.how === 'replace') return !/^(frp|msg)-/.test(match.name ?? '');
    return ['squat', 'delete-parent', 'recreate-parent'].includes(action.how);
  });
}
