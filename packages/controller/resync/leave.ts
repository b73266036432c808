import type { EventContext } from '../domain/ports.ts';
import type { Cost, Round } from '../domain/rounds.ts';
import { whyUnkept } from './why-unkept.ts';

/** Has no round be under way any more, and keeps since when all parents have been asked after. The resync is done whether that can be kept or not. */
export async function leaveRound(
  round: Round,
  isWhole: boolean,
  { rounds, log }: Pick<EventContext, 'rounds' | 'log'>,
): Promise<Cost> {
  try {
    return await rounds.end(round, isWhole);
  } catch (error) {
    log.warn({ error: whyUnkept(error) }, 'resync: when it was could not be kept');
    return { reads: 1, writes: 0 };
  }
}
