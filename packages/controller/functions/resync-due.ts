import { type Received, restarted } from '../domain/change.ts';
import { KnudgeError } from '../domain/errors.ts';
import type { Outcome } from '../domain/plan.ts';
import type { EventContext } from '../domain/ports.ts';
import { timeOf } from '../domain/time.ts';
import { continuationOf, type Kind } from '../resync/cursor.ts';
import { enterRound } from '../resync/enter.ts';
import { leaveRound } from '../resync/leave.ts';
import type { ChildKind } from '../resync/orphans.ts';
import { announceParents } from '../resync/page.ts';
import { takeTurn } from '../resync/take-turn.ts';

/** The kinds that a round of the resync goes through. */
export interface Rounds {
  /** The resync sends one event for each object of these kinds, so that a function reconciles it. */
  readonly parentKinds: readonly Kind[];
  /** The resync reads the objects of these kinds and reports those whose parent is gone. `orphanKinds` chooses the kinds. */
  readonly looked: readonly ChildKind[];
}

/**
 * It is time to ask after every parent: one event for each, and a continuation as the answer where that takes longer. A source
 * that has started anew has lost events, so that it is time too, unless that has been done since.
 */
export async function resync(received: Received, context: EventContext, rounds: Rounds): Promise<Outcome> {
  if (received.type !== restarted.type) return askAfterAll(received, context, rounds);
  const began = context.now();
  const isAdapter = received.extensions.get(restarted.extension) === restarted.value;
  const turn = isAdapter ? await takeTurn(received, context) : { is: 'none' as const };
  if (turn.is === 'none') return { result: 'ignored', reads: 0, writes: 0 };
  if (turn.is === 'done') return { result: 'done', reads: turn.reads, writes: 0 };
  const waitedSeconds = (context.now() - began) / 1000;
  const outcome = await askAfterAll(received, { ...context, workSeconds: context.workSeconds - waitedSeconds }, rounds);
  if (outcome.result === 'ignored')
    throw new KnudgeError('too-early', 'another resync has begun just now, which may be too early for this restart');
  // The Lease was written to take the turn.
  return { ...outcome, reads: outcome.reads + turn.reads, writes: outcome.writes + 1 };
}

async function askAfterAll(
  received: Received,
  context: EventContext,
  { parentKinds, looked }: Rounds,
): Promise<Outcome> {
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
