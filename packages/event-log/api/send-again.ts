import type { Outgoing } from '../../controller/domain/change.ts';
import type { DeadLetter, EventLog, LogReader } from '../../controller/domain/event-log.ts';
import { outgoingOf } from '../replay/outgoing.ts';

interface Again {
  readonly log: Pick<LogReader, 'deadLetters'> & Pick<EventLog, 'mark'>;
  readonly send: (event: Outgoing) => Promise<void>;
}

/**
 * Sends a dead letter to the Broker once more, and marks it after that: an event that is sent twice does no harm, and one that
 * is marked without being sent would be lost. A synchronous Broker answers if it failed once more, and then it is open again.
 */
export async function sendAgain(letter: DeadLetter, note: string | undefined, { log, send }: Again): Promise<void> {
  await send(outgoingOf(letter));
  const now = await letterAt(log, letter.seq);
  if (now?.times === letter.times) await log.mark(letter.seq, 'sent-again', note);
}

/** The dead letter at this place; undefined if no dead letter is there, or no longer. */
export async function letterAt(log: Pick<LogReader, 'deadLetters'>, seq: number): Promise<DeadLetter | undefined> {
  const [found] = await log.deadLetters({ after: seq - 1, before: seq + 1 }, { order: 'newest-first', limit: 1 });
  return found;
}
