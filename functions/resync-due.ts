import { type Received, restarted } from '../packages/controller/domain/change.ts';
import { KnudgeError } from '../packages/controller/domain/errors.ts';
import type { Outcome } from '../packages/controller/domain/plan.ts';
import type { EventContext, EventHandler } from '../packages/controller/domain/ports.ts';
import { timeOf } from '../packages/controller/domain/time.ts';
import { continuationOf } from '../packages/controller/resync/cursor.ts';
import { enterRound } from '../packages/controller/resync/enter.ts';
import { leaveRound } from '../packages/controller/resync/leave.ts';
import { orphanKinds } from '../packages/controller/resync/orphans.ts';
import { announceParents } from '../packages/controller/resync/page.ts';
import { takeTurn } from '../packages/controller/resync/take-turn.ts';
import { childKinds, parentKinds } from '../resources/managed/kinds.ts';

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
  if (outcome.result === 'ignored')
    throw new KnudgeError('too-early', 'another resync has begun just now, which may be too early for this restart');
  // The Lease was written to take the turn.
  return { ...outcome, reads: outcome.reads + turn.reads, writes: outcome.writes + 1 };
};

/** Where children are looked for whose parent is gone. */
export const looked = orphanKinds(childKinds);

async function askAfterAll(received: Received, context: EventContext): Promise<Outcome> {
  const entry = await enterRound(received, [...parentKinds, ...looked], context);
  if (entry.is === 'out') return { result: 'ignored', reads: entry.reads, writes: 0 };
  const { cursor, round } = entry;
  const progress = await announceParents(cursor, { ...context, kinds: parentKinds, childKinds: looked });
  const { pages, sent, failed, isWhole, next } = progress;
  const events = { sent, failed };
  const outcome = { result: 'done', reads: pages + entry.reads, writes: entry.writes, events } as const;
  if (next !== undefined) return { ...outcome, reply: continuationOf(next, timeOf(context.now() / 1000)) };
  const { reads, writes } = await leaveRound(round, isWhole, context);
  return { ...outcome, reads: outcome.reads + reads, writes: outcome.writes + writes };
}
