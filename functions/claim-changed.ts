import type { Outcome } from '../packages/controller/domain/plan.ts';
import type { Handler } from '../packages/controller/domain/ports.ts';
import { claimantsOf, holdersIn } from '../resources/distributed-service/parents/claimants.ts';

/**
 * Something at an FRP server was given up, or its Claim was taken away: who held it, and then who waits for it, one after the other
 * and whoever has waited longest first, so that it is his.
 */
export const claimChanged: Handler = async (change, { reader, reconcile }) => {
  if (change.verb === 'added') return [];
  const outcomes: Outcome[] = [];
  const parents = [...(await holdersIn(change, reader)), ...(await claimantsOf(change, reader))];
  for (const parent of parents) outcomes.push(await reconcile(parent, { wakes: true }));
  return outcomes;
};
