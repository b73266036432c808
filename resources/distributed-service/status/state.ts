import type { DistributedServiceStatus } from '../types.ts';

export type State = NonNullable<DistributedServiceStatus['state']>;

/** What the state is a function of: all of it observed, nothing remembered but the last state of the status. */
export interface StateFacts {
  readonly before: State;
  readonly deleting: boolean;
  /** Something that only a person can mend. */
  readonly failed: boolean;
  /** Something that is not there yet and will announce itself, before anything could be made. */
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
 * The last state of the status, as far as it can be gone on from. One that this version does not know, and the Terminating of an object that is not
 * being deleted, were written by somebody else or restored: they mean nothing.
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

/** Where the edge is not allowed, a step that is: only `Running` is ever two steps away. Nothing follows `Terminating`. */
function nextOnTheWay(from: State, goal: State): State {
  if (from === goal || edges[from].includes(goal)) return goal;
  if (goal !== 'Running') return from;
  if (from === 'Pending') return 'Provisioning';
  return from === 'Failed' ? 'Updating' : from;
}
