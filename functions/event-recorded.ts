import { replayExtension } from '../src/domain/change.ts';
import type { EventHandler } from '../src/domain/ports.ts';

/** Every event there is: it is kept in the event log, once. One that was sent again from there is kept already. */
export const eventRecorded: EventHandler = async (received, { eventLog }) => {
  if (!received.extensions.has(replayExtension)) await eventLog.append(received);
  return { result: 'done', reads: 0, writes: 0 };
};
