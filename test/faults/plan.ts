import type { Fault } from '../../packages/controller/testing/fault.ts';

/**
 * What to run and what to break meanwhile, as a file that anyone can run again: `npm run fault -- FILE`. All of it is
 * deterministic on the embedded API; `scenario` names a row of scenarios.ts.
 */
export type Plan = FaultPlan | SchedulePlan | StormPlan;

/** One scenario with faults at API calls. */
export interface FaultPlan {
  readonly kind: 'faults';
  /** Why the plan is kept: one sentence. */
  readonly about?: string;
  readonly scenario: string;
  readonly faults: readonly Fault[];
}

/** Two or three scenarios at once on the same objects, a handler each. */
export interface SchedulePlan {
  readonly kind: 'schedule';
  readonly about?: string;
  readonly scenarios: readonly string[];
  /** Who runs first, and after how many of its API calls each is interrupted for whom. */
  readonly first: number;
  readonly preemptions: readonly { readonly after: number; readonly to: number }[];
}

/** Seeded: users, faults and losses at random. */
export interface StormPlan {
  readonly kind: 'storm';
  readonly about?: string;
  readonly seed: number;
  /** The path that fast-check gives of a shrunk failure. */
  readonly path?: string;
}
