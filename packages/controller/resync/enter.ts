import type { Received } from '../domain/change.ts';
import { asKnudgeError } from '../domain/errors.ts';
import type { EventContext } from '../domain/ports.ts';
import { isAlive, mostTries, type Round } from '../domain/rounds.ts';
import { type Cursor, cursorIn, isBeginning, type Kind } from './cursor.ts';
import { whyUnkept } from './why-unkept.ts';

/** What came of an event that begins a round or goes on with one. */
export type Entry =
  | {
      readonly is: 'in';
      readonly cursor: Cursor;
      readonly round: Round;
      readonly reads: number;
      readonly writes: number;
    }
  /** Another round is under way, or the event is of none that is. */
  | { readonly is: 'out'; readonly reads: number };

/**
 * Lets one round at a time be under way, by the Lease. What an event says of a round is not believed: when it began stands in
 * the Lease, and a continuation has to show its key, at the step that comes next. The event of a step may come again, for its
 * process may have died: then the step is begun anew, with another key, so that of two who are at it one goes on. Where the
 * Lease cannot be asked the round goes on without, and is whole for nobody.
 */
export async function enterRound(received: Received, kinds: readonly Kind[], context: EventContext): Promise<Entry> {
  const cursor = cursorIn(received, kinds);
  const begins = isBeginning(received);
  const { log, now } = context;
  const unkept = { id: cursor.round, key: '', before: '', began: now(), seen: now(), step: cursor.step, tries: 1 };
  try {
    const lease = await context.rounds.read();
    const round = begins ? begun(unkept, lease) : continued(cursor, lease);
    if (round === undefined) {
      log.warn(
        { round: cursor.round, step: cursor.step },
        begins ? 'resync: a round is under way' : 'resync: of no round',
      );
      return { is: 'out', reads: 1 };
    }
    await lease.keep(round);
    return { is: 'in', cursor: { ...cursor, key: round.key }, round, reads: 1, writes: 1 };
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    log.warn({ error: whyUnkept(error) }, 'resync: the round could not be kept');
    if (error.code === 'conflict') return { is: 'out', reads: 1 };
    return { is: 'in', cursor: { ...cursor, isPartial: true }, round: unkept, reads: 1, writes: 0 };
  }
}

type Kept = Awaited<ReturnType<EventContext['rounds']['read']>>;

function begun(wanted: Round, { round, now, key }: Kept): Round | undefined {
  if (round === undefined || !isAlive(round, now)) return { ...wanted, key, began: now, seen: now };
  return round.id === wanted.id && round.step === 0 ? again(round, { now, key }) : undefined;
}

function continued({ key: shown, step }: Cursor, { round, now, key }: Kept): Round | undefined {
  if (round === undefined || shown === undefined) return undefined;
  if (shown !== round.key && shown !== round.before) return undefined;
  if (shown === round.key && step === round.step + 1)
    return { ...round, seen: now, step, tries: 1, before: shown, key };
  return shown === round.before && step === round.step ? again(round, { now, key }) : undefined;
}

function again(round: Round, { now, key }: Pick<Kept, 'now' | 'key'>): Round | undefined {
  const tries = isAlive(round, now) ? round.tries + 1 : 1;
  return tries > mostTries ? undefined : { ...round, key, seen: now, tries };
}
