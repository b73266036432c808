import { type Received, restarted } from '../src/domain/change.ts';
import type { Outcome } from '../src/domain/plan.ts';
import type { EventContext, EventHandler } from '../src/domain/ports.ts';
import { timeOf } from '../src/domain/time.ts';
import { parentKinds } from '../src/parents/kinds.ts';
import { continuationOf, cursorIn } from '../src/resync/cursor.ts';
import { childKinds } from '../src/resync/orphans.ts';
import { announceParents } from '../src/resync/page.ts';
import { remember } from '../src/resync/remember.ts';
import { takeTurn } from '../src/resync/take-turn.ts';

/**
 * It is time to ask after every parent: one event for each, and a continuation as the answer where that takes longer. A source
 * that has started anew has lost events, so that it is time too, unless that has been done since.
 */
export const resyncDue: EventHandler = async (received, context) => {
  if (received.type !== restarted.type) return askAfterAll(received, context);
  const began = context.now();
  const isAdapter = received.extensions.get(restarted.extension) === restarted.value;
  const turn = isAdapter ? await takeTurn(received, context) : { is: 'none' as const };
  if (turn.is === 'none') return { result: 'ignored', reads: 0, writes: 0 };
  if (turn.is === 'done') return { result: 'done', reads: turn.reads, writes: 0 };
  const waitedSeconds = (context.now() - began) / 1000;
  const outcome = await askAfterAll(received, { ...context, workSeconds: context.workSeconds - waitedSeconds });
  return { ...outcome, reads: outcome.reads + turn.reads };
};

async function askAfterAll(received: Received, context: EventContext): Promise<Outcome> {
  const time = (): string => timeOf(context.now() / 1000);
  const from = cursorIn(received, [...parentKinds, ...childKinds], time());
  const { pages, sent, failed, whole, next } = await announceParents(from, {
    ...context,
    kinds: parentKinds,
    childKinds,
  });
  await remember(whole, from.round, context);
  const outcome = { result: 'done', reads: pages, writes: 0, events: { sent, failed } } as const;
  return next === undefined ? outcome : { ...outcome, reply: continuationOf(next, time()) };
}
