import type { LogReader, RecordedEvent } from '../../controller/domain/event-log.ts';
import { type KeptObject, objectIn } from './kept-object.ts';

/**
 * The version of an object before an event that shows it: one of these older events, which begin with the newest, else the one
 * of the same uid that the log has. What carries no object stands between, such as the questions of the resync, and is passed over.
 */
export async function formerOf(
  log: Pick<LogReader, 'events'>,
  event: RecordedEvent,
  older: readonly RecordedEvent[],
): Promise<KeptObject | undefined> {
  const { seq, kind, namespace, name } = event;
  const isSame = (one: RecordedEvent): boolean =>
    one.kind === kind && one.namespace === namespace && one.name === name && objectIn(one) !== undefined;
  const here = older.find(isSame);
  if (here !== undefined) return objectIn(here);
  const uid = objectIn(event)?.metadata.uid;
  if (uid === undefined) return undefined;
  const about = { ...(kind && { kind }), ...(namespace && { namespace }), ...(name && { name }) };
  const [found] = await log.events({ ...about, uid, before: seq }, { order: 'newest-first', limit: 1 });
  return found && objectIn(found);
}
