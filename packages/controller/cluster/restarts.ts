import type { Restarts, Round, Rounds } from '../domain/rounds.ts';
import type { Cluster } from './cluster.ts';
import type { LeaseName } from './lease.ts';

/** What a Lease says about resyncs, and the way to take the next one. */
export async function readRestarts(
  cluster: Pick<Cluster, 'kept' | 'take' | 'now'>,
  lease: LeaseName,
): ReturnType<Restarts['read']> {
  const { renewed, taken, round, version } = await cluster.kept(lease);
  const marks = {
    ...(renewed !== undefined && { whole: renewed }),
    ...(taken && { restart: { began: taken.at, by: taken.by } }),
    ...(round && { round }),
  };
  return { marks, now: cluster.now(), take: (by) => cluster.take(lease, by, version) };
}

/** The rounds of the resync, as a Lease keeps them. */
export function roundsIn(
  cluster: Pick<Cluster, 'kept' | 'keepRound' | 'endRound' | 'now'>,
  lease: LeaseName,
  newKey: () => string,
): Rounds {
  return {
    read: async () => {
      const { round, version } = await cluster.kept(lease);
      const keep = (one: Round): Promise<void> => cluster.keepRound(lease, one, version);
      return { ...(round && { round }), now: cluster.now(), key: newKey(), keep };
    },
    end: (round, isWhole) => cluster.endRound(lease, round, isWhole),
  };
}
