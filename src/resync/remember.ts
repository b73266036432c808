import { asKnudgeError } from '../domain/errors.ts';
import type { EventContext } from '../domain/ports.ts';

/** Keeps since when all parents have been asked after. The resync is done whether that can be kept or not. */
export async function remember(
  since: string | undefined,
  round: string,
  parts: Pick<EventContext, 'resynced' | 'log'>,
): Promise<void> {
  if (since === undefined) return;
  try {
    await parts.resynced(since, round);
  } catch (error) {
    parts.log.warn({ error: asKnudgeError(error).message }, 'resync: when it was could not be kept');
  }
}
