import type { CallMatch, Fault } from '../plan.ts';
import type { DescribedCall } from '../proxy/describe-call.ts';

/** The faults of a plan, and which of them have been reached. */
export interface Gate {
  /** The fault that this call meets. Asked once for each call. */
  hit(call: DescribedCall): Fault | undefined;
  /** From here on nothing is broken any more. */
  lift(): void;
  /** Those that no call has met. */
  unreached(): readonly Fault[];
}

interface Armed {
  readonly fault: Fault;
  seen: number;
  reached: boolean;
}

/** Counts the calls that fit each fault, and lets each befall its own. */
export function armFaults(faults: readonly Fault[]): Gate {
  const armed: Armed[] = faults.map((fault) => ({ fault, seen: 0, reached: false }));
  let lifted = false;
  return {
    hit: (call) => {
      if (lifted) return undefined;
      const due = armed.filter((one) => {
        if (!fits(one.fault.match, call)) return false;
        one.seen += 1;
        return isDue(one);
      });
      const [first] = due;
      if (first !== undefined) first.reached = true;
      return first?.fault;
    },
    lift: () => {
      lifted = true;
    },
    unreached: () => armed.filter(({ reached }) => !reached).map(({ fault }) => fault),
  };
}

function isDue({ fault: { match, times = 1 }, seen }: Armed): boolean {
  return times === 'on' ? seen >= match.nth : seen >= match.nth && seen < match.nth + times;
}

function fits({ verb, resource, name }: CallMatch, call: DescribedCall): boolean {
  return verb === call.verb && resource === call.resource && (name === undefined || name === call.ref.name);
}
