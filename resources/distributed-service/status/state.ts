import type { DistributedServiceStatus } from '../types.ts';

export type State = NonNullable<DistributedServiceStatus['state']>;

/** The facts that decide the state: all are observed, and nothing is remembered but the last state in the status. */
export interface StateFacts {
  readonly before: State;
  readonly deleting: boolean;
  /** Something is wrong that only a person can mend. */
  readonly failed: boolean;
  /** Something is missing without which no tunnel can be made, and an event will report it. */
  readonly waiting: boolean;
  /** The tunnel runs what the spec says and enough backends are ready. */
  readonly running: boolean;
  /** Some replica of the tunnel is available, be it of an older spec. */
  readonly available: boolean;
}

/** The allowed edges. A state that is not a key of another's list cannot follow it. */
export const edges: Readonly<Record<State, readonly State[]>> = {
  Pending: ['Provisioning', 'Failed', 'Terminating'],
  Provisioning: ['Running', 'Failed', 'Terminating'],
  Running: ['Updating', 'Failed', 'Terminating'],
  Updating: ['Running', 'Failed', 'Terminating'],
  Failed: ['Provisioning', 'Updating', 'Terminating'],
  Terminating: [],
};

/**
 * The state from which the next one follows: that of the status. A state that this version does not know, or Terminating on an object that
 * is not being deleted, was written by somebody else or restored: it counts as Pending.
 */
export function stateBefore(told: string | undefined): State {
  return told !== undefined && told !== 'Terminating' && Object.hasOwn(edges, told) ? (told as State) : 'Pending';
}

/** The state that the facts call for, and the next one on the way to it: the same where the edge is allowed. */
export function decideState(facts: StateFacts): { readonly next: State; readonly goal: State } {
  const goal = goalOf(facts);
  return { next: nextOnTheWay(facts.before, goal), goal };
}

function goalOf({ before, deleting, failed, waiting, running, available }: StateFacts): State {
  if (deleting) return 'Terminating';
  if (failed) return 'Failed';
  if (running) return 'Running';
  if (before === 'Running' || before === 'Updating') return 'Updating';
  if (before === 'Failed' && available) return 'Updating';
  return before === 'Pending' && waiting ? 'Pending' : 'Provisioning';
}

/** The goal, or an allowed step towards it: only `Running` is ever two steps away. No state follows `Terminating`. */
function nextOnTheWay(from: State, goal: State): State {
  if (from === goal || edges[from].includes(goal)) return goal;
  if (goal !== 'Running') return from;
  if (from === 'Pending') return 'Provisioning';
  return from === 'Failed' ? 'Updating' : from;
}
