import { describe, type ObjectRef } from '../src/domain/kube-object.ts';
import type { Outcome } from '../src/domain/plan.ts';
import type { HandlerContext } from '../src/domain/ports.ts';

/** How many parents one event makes right at a time: a shared server profile can concern thousands. */
const atOnce = 8;

/**
 * Reconciles each parent once, some at a time. One that fails does not keep the others from their turn; its error is
 * thrown when all are through, so that the event comes again.
 */
export async function reconcileAll(
  parents: readonly ObjectRef[],
  { reconcile }: Pick<HandlerContext, 'reconcile'>,
): Promise<readonly Outcome[]> {
  const waiting = [...new Map(parents.map((parent) => [describe(parent), parent])).values()];
  const outcomes: Outcome[] = [];
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let parent = waiting.shift(); parent !== undefined; parent = waiting.shift()) {
      try {
        outcomes.push(await reconcile(parent));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
  if (failures.length > 0) throw failures[0];
  return outcomes;
}
