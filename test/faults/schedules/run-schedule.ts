import type { DescribedCall } from '../../../packages/controller/testing/calls/describe-call.ts';
import { drain, letTimePass, NeverAtRest } from '../../../packages/controller/testing/sim/drain.ts';
import type { Run } from '../../../packages/controller/testing/sim/run.ts';
import { isOver, type Simulation } from '../../../packages/controller/testing/sim/simulation.ts';
import type { Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import type { Finding, Trace } from '../../../packages/controller/testing/trace.ts';
import { Refused } from '../../../packages/controller/testing/user.ts';
import { isParent } from '../oracles/accessors.ts';
import type { SchedulePlan } from '../plan.ts';
import type { Scenario } from '../scenario.ts';
import { judgeRun } from '../sim/judge.ts';
import { heal, place, userOf } from '../sim/prepare.ts';
import { startSimulation } from '../sim/simulation.ts';
import type { Verdict } from '../verdict.ts';

export interface Scheduled extends Verdict {
  /** The calls of all handlers in the order in which they were carried out, each with the place of its handler. */
  readonly calls: readonly ScheduledCall[];
  /** How many of the preemptions came about: a handler may be over before its turn ends. */
  readonly preempted: number;
}

export interface ScheduledCall {
  readonly by: number;
  readonly call: DescribedCall;
}

export interface ScheduleParts {
  readonly from: Snapshot;
  /** Each with what it does when it gets its first turn. */
  readonly scenarios: readonly Scenario[];
  /**
   * The same acts one after the other, each left in peace, in the orders that the end may be that of. None: the end is
   * compared with nothing, for it hangs on who comes between.
   */
  readonly cleans?: readonly Trace[];
  readonly seed?: number;
}

/** A person's act and the handler of its first event: it stands still but when it has its turn. */
interface Thread {
  readonly scenario: Scenario;
  run: Run | undefined;
  begun: boolean;
}

/** Lets each scenario begin when it first has its turn, and their handlers take turns as the plan says; the rest follows in order. */
export async function runSchedule(
  { first, preemptions }: Pick<SchedulePlan, 'first' | 'preemptions'>,
  { from, scenarios, cleans = [], seed = 1 }: ScheduleParts,
): Promise<Scheduled> {
  const parents = scenarios[0]?.parents(place) ?? [];
  const simulation = startSimulation({ from, seed, parents });
  const threads = scenarios.map((scenario): Thread => ({ scenario, run: undefined, begun: false }));
  const calls: ScheduledCall[] = [];
  let turn = first;
  let preempted = 0;
  try {
    for (const { after, to } of preemptions) {
      const isInterrupted = await take(turn, after, { threads, simulation, calls });
      if (isInterrupted) preempted += 1;
      turn = to;
    }
    for (let index = 0; index < threads.length; index += 1) {
      await take((turn + index) % threads.length, Number.POSITIVE_INFINITY, { threads, simulation, calls });
    }
    await drain(simulation);
    const trace = await heal(simulation, { isHurried: true });
    return { unreached: [], findings: judgeEach(trace, cleans), trace, calls, preempted };
  } catch (error) {
    if (!(error instanceof NeverAtRest)) throw error;
    const trace = simulation.trace([]);
    return { unreached: [], findings: [{ oracle: 'O10', what: error.message }], trace, calls, preempted };
  } finally {
    simulation.close();
  }
}

/** Right if it is right as one of these. What a person changed of a child that was going has gone with it: in none of these has it. */
function judgeEach(trace: Trace, [first, ...others]: readonly Trace[]): readonly Finding[] {
  const findings = judgeRun(trace, cameTooLate(trace) ? undefined : first);
  if (findings.length === 0 || others.length === 0) return findings;
  return judgeEach(trace, others).length === 0 ? [] : findings;
}

function cameTooLate({ changes }: Trace): boolean {
  return changes.some(
    ({ by, object, before }) =>
      by.who === 'user' && !isParent(object) && before?.metadata.deletionTimestamp !== undefined,
  );
}

interface Taking {
  readonly threads: readonly Thread[];
  readonly simulation: Simulation;
  readonly calls: ScheduledCall[];
}

/** A turn of this many calls; false where the handler was over before. */
async function take(turn: number, most: number, { threads, simulation, calls }: Taking): Promise<boolean> {
  const thread = threads[turn];
  if (thread === undefined) throw new Error(`the schedule gives a turn to handler ${turn}, and there is none`);
  await begin(thread, simulation);
  const { run } = thread;
  if (run === undefined) return false;
  for (let count = 0; count < most; ) {
    const [next] = run.calls;
    if (next !== undefined) {
      calls.push({ by: turn, call: next.described });
      await simulation.step(run);
      count += 1;
    } else if (isOver(run) || !(await letTimePass(simulation, Number.POSITIVE_INFINITY))) {
      return false;
    }
  }
  return !isOver(run);
}

/** What the person does, and the handler of the first event that follows from it, in a process of its own. */
async function begin(thread: Thread, simulation: Simulation): Promise<void> {
  if (thread.begun) return;
  thread.begun = true;
  const before = simulation.queue.length;
  await act(thread.scenario, simulation);
  const [due] = simulation.queue.splice(before, 1);
  if (due !== undefined) thread.run = await simulation.start(due, true);
}

/** What is gone by now cannot be changed any more: then nothing is done. */
async function act({ when }: Scenario, simulation: Simulation): Promise<void> {
  try {
    await when(userOf(simulation), place);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** The same acts one after the other, each brought to rest before the next. */
export async function inSequence({ from, scenarios }: ScheduleParts, order: readonly number[]): Promise<Trace> {
  const simulation = startSimulation({ from, seed: 1, parents: scenarios[0]?.parents(place) ?? [] });
  for (const index of order) {
    const scenario = scenarios[index];
    if (scenario !== undefined) await act(scenario, simulation);
    await drain(simulation);
  }
  const trace = await heal(simulation);
  simulation.close();
  return trace;
}
