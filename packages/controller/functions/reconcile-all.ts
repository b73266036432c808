import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import { describe, type ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import type { HandlerContext, ReconcileHow } from '../domain/ports.ts';

/** How many parents one event makes right at a time: an object that many parents share can concern thousands. */
const atOnce = 8;

/**
 * Reconciles each parent once, some at a time. One that fails does not keep the others from their turn; the error that asks for
 * most is thrown when all are through, so that the event comes again where that helps any of them.
 */
export async function reconcileAll(
  parents: readonly ObjectRef[],
  { reconcile }: Pick<HandlerContext, 'reconcile'>,
  how?: ReconcileHow,
): Promise<readonly Outcome[]> {
  if (parents.length === 0) return [];
  const waiting = [...new Map(parents.map((parent) => [`${parent.apiVersion} ${describe(parent)}`, parent])).values()];
  const outcomes: Outcome[] = [];
  const failures: KnudgeError[] = [];
  const work = async (): Promise<void> => {
    for (let parent = waiting.shift(); parent !== undefined; parent = waiting.shift()) {
      try {
        outcomes.push(await reconcile(parent, how));
      } catch (error) {
        failures.push(asKnudgeError(error));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
  const [worst, ...others] = failures.toSorted(
    (one, other) => urgency.indexOf(one.retry) - urgency.indexOf(other.retry),
  );
  if (worst !== undefined) throw others.length === 0 ? worst : ofSeveral(worst, others);
  return outcomes;
}

/**
 * Reconciles who uses what has changed: one at once, of several each by an event of its own where there is a Broker. Then one that fails
 * is tried anew alone, and no event has to wait for thousands.
 */
export async function reconcileUsers(
  parents: readonly ObjectRef[],
  context: Pick<HandlerContext, 'reconcile' | 'askAfter'>,
): Promise<readonly Outcome[]> {
  const users = [...new Map(parents.map((parent) => [describe(parent), parent])).values()];
  if (users.length < 2 || context.askAfter === undefined) return reconcileAll(users, context);
  return [await context.askAfter(users)];
}

/** An error after which the event comes again is more urgent than one that is only reported. */
const urgency: readonly KnudgeError['retry'][] = ['later', 'bug', 'refused', 'never'];

/** The first few of them, so that the one line of the log says of all that failed what it was. */
const mostTold = 5;

const none = { reads: 0, writes: 0 };

function ofSeveral(worst: KnudgeError, others: readonly KnudgeError[]): KnudgeError {
  const told = others.slice(0, mostTold).map(({ code, message }) => `${code}: ${message}`);
  const rest = others.length - told.length;
  const more = rest > 0 ? [`${String(rest)} more`] : [];
  const { code, message, retryAfterSeconds } = worst;
  const counts = [worst, ...others].reduce(
    (sum, { counts: one = none }) => ({ reads: sum.reads + one.reads, writes: sum.writes + one.writes }),
    none,
  );
  const all = `${message}; besides: ${[...told, ...more].join('; ')}`;
  return new KnudgeError(code, all, {
    cause: worst,
    counts,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
