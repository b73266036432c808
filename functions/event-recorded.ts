import { isDeadLetter } from '../packages/controller/domain/dead-letter.ts';
import type { EventHandler } from '../packages/controller/domain/ports.ts';

/**
 * Every event there is: it is kept in the event log, once. One that was sent again from there is kept already, by its source
 * and id; one that only says so (`knudgereplay`) is kept with what it says.
 */
export const eventRecorded: EventHandler = async (received, { eventLog }) => {
  await eventLog.append(received).catch((error: unknown) => {
    // The Broker's last try: if that fails as well, it tells whoever sent the event that nobody took it, and all Triggers get it
    // again. The log has counted it as missing.
    if (!isDeadLetter(received.extensions)) throw error;
  });
  return { result: 'done', reads: 0, writes: 0 };
};
