import { isDeadLetter } from '../domain/dead-letter.ts';
import { reconciledType } from '../domain/delivery.ts';
import type { EventHandler } from '../domain/ports.ts';
import { readDeliveries } from '../domain/read-deliveries.ts';

/**
 * Appends every event to the event log, once. The log skips a replayed event, because it has one with that source and id already; an
 * event that only says that it is replayed (`knudgereplay`) is appended with what it says. Of an event that reports deliveries the log keeps
 * these, and not the event.
 */
export const eventRecorded: EventHandler = async (received, { eventLog }) => {
  if (received.type === reconciledType) {
    await eventLog.appendDeliveries(readDeliveries(received.data));
    return { result: 'done', reads: 0, writes: 0 };
  }
  await eventLog.append(received).catch((error: unknown) => {
    // The Broker's last try: if that fails as well, the Broker reports to the sender that nobody took the event, and all Triggers get
    // it again. The log has counted it as missing.
    if (!isDeadLetter(received.extensions)) throw error;
  });
  return { result: 'done', reads: 0, writes: 0 };
};
