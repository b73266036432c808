import type { Outcome } from '../packages/controller/domain/plan.ts';
import type { Handler } from '../packages/controller/domain/ports.ts';
import { claimantsOf, holdersIn } from '../resources/distributed-service/parents/claimants.ts';

/**
 * A service gave up a host or port at an FRP server, or its Claim was deleted: reconciles the service that held it, and then those that
 * wait for it, one after the other and the one that has waited longest first, so that this one gets it.
 */
export const claimChanged: Handler = async (change, { reader, reconcile }) => {
  if (change.verb === 'added') return [];
  const outcomes: Outcome[] = [];
  const parents = [...(await holdersIn(change, reader)), ...(await claimantsOf(change, reader))];
  for (const parent of parents) outcomes.push(await reconcile(parent, { wakes: true }));
  return outcomes;
};
