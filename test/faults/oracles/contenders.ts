import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { wantsOf } from '../../../resources/distributed-service/claims/wants.ts';
import { shapeProblemOf } from '../../../resources/distributed-service/spec/shape.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { keyOfObject } from './accessors.ts';

/**
 * Parents that ever wanted the same of an FRP server as one of these, and those as one of them, by their keys: who has it hangs
 * on who is there, how old each is, and whether it can say so.
 */
export function contendersOf(trace: Trace, keys: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set(keys);
  const groups = groupsIn(trace);
  for (let before = -1; before < known.size; ) {
    before = known.size;
    for (const group of groups) if (group.some((key) => known.has(key))) for (const key of group) known.add(key);
  }
  return new Set([...known].filter((key) => !keys.has(key)));
}

/** Everybody who wanted it, for each thing that anybody wanted. */
function groupsIn({ changes, resting }: Trace): readonly (readonly string[])[] {
  const groups = new Map<string, Set<string>>();
  for (const object of [...resting, ...changes.map((change) => change.object)]) {
    for (const claim of wantedBy(object)) {
      groups.set(claim, (groups.get(claim) ?? new Set<string>()).add(keyOfObject(object)));
    }
  }
  return [...groups.values()].map((group) => [...group]);
}

function wantedBy(object: KubeObject): readonly string[] {
  if (object.kind !== 'DistributedService') return [];
  const { spec } = object as DistributedService;
  if (shapeProblemOf(spec) !== undefined) return [];
  return wantsOf(spec, {}).map(({ kind, value }) => `${spec.serverProfile} ${kind} ${value}`);
}
