import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Finding, Trace } from '../../../packages/controller/testing/trace.ts';
import type { SchedulePlan } from '../plan.ts';
import { areDependent } from './dependent.ts';
import { inSequence, runSchedule, type Scheduled, type ScheduledCall, type ScheduleParts } from './run-schedule.ts';

export interface Explored {
  /** Schedules with at most two preemptions that there are. */
  readonly schedules: number;
  /** Those that were run: each of the others differs from one of them only in the order of calls that commute. */
  readonly run: number;
  readonly failures: readonly { readonly plan: SchedulePlan; readonly findings: readonly Finding[] }[];
}

type Turns = Pick<SchedulePlan, 'first' | 'preemptions'>;

/**
 * Every schedule of two handlers with at most two preemptions, at API calls. The first runs i calls, the other j, the
 * first the rest, the other the rest; for all i and j, and with either first. A schedule that only swaps calls that
 * commute is counted and not run: (i, j) is (i, j-1) where the j-th call of the other commutes with all that the first
 * has left, and (i, j) is (i+1, j) where the next call of the first commutes with the j of the other.
 */
export async function explore(parts: ScheduleParts): Promise<Explored> {
  const cleans = [await inSequence(parts, [0, 1]), await inSequence(parts, [1, 0])];
  const both = [await exploreFrom(0, { ...parts, cleans }), await exploreFrom(1, { ...parts, cleans })];
  return {
    schedules: both.reduce((sum, { schedules }) => sum + schedules, 0),
    run: both.reduce((sum, { run }) => sum + run, 0),
    failures: both.flatMap(({ failures }) => failures),
  };
}

async function exploreFrom(first: number, parts: ScheduleParts): Promise<Explored> {
  const other = 1 - first;
  const failures: { plan: SchedulePlan; findings: readonly Finding[] }[] = [];
  let [schedules, run] = [1, 0];
  const go = async (turns: Turns): Promise<Scheduled> => {
    const done = await runSchedule(turns, parts);
    // One that nobody came between is the one without preemptions, which was run.
    if (turns.preemptions.length === 0 || done.preempted > 0) run += 1;
    if (done.findings.length > 0) failures.push({ plan: planOf(turns, parts), findings: done.findings });
    return done;
  };
  await go({ first, preemptions: [] });
  for (let i = 0; ; i += 1) {
    const whole = await go({ first, preemptions: [{ after: i, to: other }] });
    if (whole.preempted === 0) break;
    const others = whole.calls.filter(({ by }) => by === other);
    const next = whole.calls.filter(({ by }) => by === first)[i];
    schedules += 1 + Math.max(others.length - 1, 0);
    await within(i, { first, go, others, next, acts: actsIn(whole.trace) });
  }
  return { schedules, run, failures };
}

interface Within {
  readonly first: number;
  readonly go: (turns: Turns) => Promise<Scheduled>;
  /** What the other does when it is let go at this point. */
  readonly others: readonly ScheduledCall[];
  /** What the first would do next. */
  readonly next: ScheduledCall | undefined;
  readonly acts: readonly ScheduledCall[];
}

/** The second preemption, at each j that can make a difference. */
async function within(i: number, { first, go, others, next, acts }: Within): Promise<void> {
  const other = 1 - first;
  let rest: readonly ScheduledCall[] | undefined;
  for (let j = 1; j < others.length; j += 1) {
    const taken = others[j - 1];
    const commutes =
      rest !== undefined && taken !== undefined && !rest.some(({ call }) => areDependent(call, taken.call));
    if (commutes) continue;
    const isLater =
      next !== undefined && ![...acts, ...others.slice(0, j)].some(({ call }) => areDependent(call, next.call));
    if (isLater && rest === undefined) continue;
    const done = await go({
      first,
      preemptions: [
        { after: i, to: other },
        { after: j, to: first },
      ],
    });
    rest = done.calls.filter(({ by }) => by === first).slice(i);
  }
}

/** What persons did, as calls: they come with the first turn of a handler and commute no more than its own. */
function actsIn({ changes }: Trace): readonly ScheduledCall[] {
  return changes.flatMap(({ by, object }) =>
    by.who === 'user' ? [{ by: -1, call: { verb: 'update' as const, resource: '', ref: refOf(object) } }] : [],
  );
}

function planOf({ first, preemptions }: Turns, { scenarios }: ScheduleParts): SchedulePlan {
  return { kind: 'schedule', scenarios: scenarios.map(({ name }) => name), first, preemptions };
}
