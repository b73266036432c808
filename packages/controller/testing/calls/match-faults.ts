import type { CallMatch, Fault } from '../fault.ts';
import type { DescribedCall } from './describe-call.ts';

/** Finds which faults hit a call, counting the calls of one run. */
export interface Matcher {
  /** The faults that hit this call, in the order of the plan; every call is to be asked for once, in its order. */
  next(call: DescribedCall): readonly Fault[];
  /** The counting begins. */
  arm(): void;
  /** From now on no fault hits anything. */
  lift(): void;
  /** The faults that no call has met. */
  missed(): readonly Fault[];
}

export function createMatcher(faults: readonly Fault[]): Matcher {
  const rows = faults.map((fault) => ({ fault, fitting: 0, hit: false }));
  let armed = false;
  return {
    next: (call) => {
      if (!armed) return [];
      return rows.flatMap((row) => {
        if (!fits(row.fault.match, call)) return [];
        row.fitting += 1;
        if (!isMeant(row.fault, row.fitting)) return [];
        row.hit = true;
        return [row.fault];
      });
    },
    arm: () => {
      armed = true;
    },
    lift: () => {
      armed = false;
    },
    missed: () => rows.filter(({ hit }) => !hit).map(({ fault }) => fault),
  };
}

function fits({ verb, resource, name }: CallMatch, call: DescribedCall): boolean {
  return verb === call.verb && resource === call.resource && (name === undefined || name === call.ref.name);
}

function isMeant({ match, times = 1 }: Fault, count: number): boolean {
  return count >= match.nth && (times === 'on' || count < match.nth + times);
}
