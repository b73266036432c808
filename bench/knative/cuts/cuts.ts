import { type ChangeStem, functions, serviceOf, services } from '../../../functions/table.ts';

/** One way to share the functions that change the cluster among Knative Services. */
export interface Cut {
  readonly name: string;
  /** The Knative Service of a function. */
  readonly serviceOf: (stem: ChangeStem) => string;
}

/** The Service that serves all of them; it exists only for this bench. */
export const allInOne = 'bench-all';

/** The functions that change the cluster, each with a Trigger of its name. */
export const stems = Object.entries(functions)
  .filter(([, { wakes }]) => wakes === 'change')
  .map(([stem]) => stem as ChangeStem);

/** The functions that have a Service of their own only in deploy/overlays/per-function. */
export const alone: readonly ChangeStem[] = services['distributed-service'];

/** The cut of deploy/, with which the others are compared. */
export const usual: Cut = { name: 'a Service for each resource', serviceOf };

/** The cuts, in the order of the table. */
export const cuts: readonly Cut[] = [
  { name: 'a Service for each function', serviceOf: (stem) => stem },
  usual,
  { name: 'one Service for all', serviceOf: () => allInOne },
];

/** The Services of a cut. */
export function servicesOf(cut: Cut): readonly string[] {
  return [...new Set(stems.map((stem) => cut.serviceOf(stem)))];
}
