import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import {
  compare as compareBy,
  masked as maskedBy,
  type Side,
} from '../../../packages/controller/testing/compare/differences.ts';
import type { Mask } from '../../../packages/controller/testing/compare/mask.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { masks as allMasks } from './masks.ts';

/** What two sets of objects of one run differ in, through the masks. */
export function differencesOf(
  trace: Trace,
  { of, to }: { readonly of: readonly KubeObject[]; readonly to: readonly KubeObject[] },
): readonly string[] {
  return compare({ trace, objects: of }, { trace, objects: to });
}

/** One sentence for each object that only one side has, or that is not the same on both. */
export function compare(one: Side, other: Side, masks: readonly Mask[] = allMasks): readonly string[] {
  return compareBy(one, other, masks);
}

/** Each object by its name, as it is compared. */
export function masked(side: Side): ReadonlyMap<string, unknown> {
  return maskedBy(side, allMasks);
}
