import type { Outgoing } from '../../controller/domain/change.ts';
import type { DeadLetter, EventLog, LogReader } from '../../controller/domain/event-log.ts';
import { outgoingOf } from '../replay/outgoing.ts';

interface Again {
  readonly log: Pick<EventLog, 'mark'>;
  readonly send: (event: Outgoing) => Promise<void>;
}

/**
 * Sends a dead letter to the Broker once more, and marks it after that: an event that is sent twice does no harm, and one that
 * is marked without being sent would be lost. What has failed once more by then is open again, and stays so.
 */
export async function sendAgain(letter: DeadLetter, note: string | undefined, { log, send }: Again): Promise<void> {
  await send(outgoingOf(letter));
  await log.mark(letter, 'sent-again', note);
}

/** The dead letter at this place; undefined if no dead letter is there, or no longer. */
export async function letterAt(log: Pick<LogReader, 'deadLetters'>, seq: number): Promise<DeadLetter | undefined> {
  const [found] = await log.deadLetters({ after: seq - 1, before: seq + 1 }, { order: 'newest-first', limit: 1 });
  return found;
}
