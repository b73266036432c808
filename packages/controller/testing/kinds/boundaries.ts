import type { ObjectRef } from '../../domain/kube-object.ts';
import type { CallMatch, Fault } from '../fault.ts';
import type { Trace } from '../trace.ts';
import type { CallSite, FaultKind } from './kind.ts';

/** A place where a fault can hit: one API call of a run without faults. */
export interface Boundary {
  readonly match: CallMatch;
  readonly call: CallSite;
}

/** The calls of a run without faults, up to where faults would be lifted, each as a plan names it. */
export function boundariesOf(
  { calls, marks }: Pick<Trace, 'calls' | 'marks'>,
  isParent: (ref: ObjectRef) => boolean,
): readonly Boundary[] {
  const counts = new Map<string, number>();
  const counted = (key: string): number => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
  return calls
    .filter(({ at }) => at < marks.lifted)
    .map((traced) => {
      const call = { ...traced, isOfParent: isParent(traced.ref) };
      const { verb, resource, ref } = call;
      const ofAnyName = counted(`${verb} ${resource}`);
      const ofThisName = counted(`${verb} ${resource} ${ref.name}`);
      if (ref.name === '' || hasGeneratedName(call)) return { match: { verb, resource, nth: ofAnyName }, call };
      return { match: { verb, resource, name: ref.name, nth: ofThisName }, call };
    });
}

/** Names that the API server makes up, or that a uid is part of, are others in each run: such a call is known by its number. */
function hasGeneratedName({ resource, ref }: CallSite): boolean {
  if (['events', 'endpointslices', 'replicasets'].includes(resource)) return true;
  return resource === 'pods' && /-[a-z0-9]{6,10}-[a-z0-9]{5}$/.test(ref.name);
}

export function faultAt({ match, call }: Boundary, { when, action, times }: FaultKind): Fault {
  return { match, when, action: action(call), ...(times !== undefined && { times }) };
}

/** `create deployments web (1)`. */
export function nameOf({ match: { verb, resource, name, nth } }: Boundary): string {
  return [verb, resource, ...(name === undefined ? [] : [name]), `(${nth})`].join(' ');
}
