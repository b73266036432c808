import { isDeadLetter } from '../domain/dead-letter.ts';
import { reconciledType } from '../domain/delivery.ts';
import { KnudgeError } from '../domain/errors.ts';
import type { EventHandler } from '../domain/ports.ts';
import { readDeliveries } from '../domain/read-deliveries.ts';

/**
 * Appends every event to the event log, once. The log skips a replayed event, because it has one with that source and id already; an
 * event that only says that it is replayed (`knudgereplay`) is appended with what it says. Of an event that reports deliveries the log keeps
 * these, and not the event, unless it cannot be read: then the event shows what somebody has sent.
 */
export const eventRecorded: EventHandler = async (received, { eventLog }) => {
  const deliveries = received.type === reconciledType ? readIfValid(received.data) : undefined;
  if (deliveries !== undefined) {
    await eventLog.appendDeliveries(deliveries);
    return { result: 'done', reads: 0, writes: 0 };
  }
  await eventLog.append(received).catch((error: unknown) => {
    // The Broker's last try: if that fails as well, the Broker reports to the sender that nobody took the event, and all Triggers get
    // it again. The log has counted it as missing.
    if (!isDeadLetter(received.extensions)) throw error;
  });
  return { result: 'done', reads: 0, writes: 0 };
};

function readIfValid(data: unknown): ReturnType<typeof readDeliveries> | undefined {
  try {
    return readDeliveries(data);
  } catch (thrown) {
    if (thrown instanceof KnudgeError && thrown.code === 'invalid-event') return undefined;
    throw thrown;
  }
}
