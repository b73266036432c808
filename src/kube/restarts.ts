import type { Restarts } from '../domain/ports.ts';
import type { Cluster } from './cluster.ts';
import type { LeaseName } from './lease.ts';

/** What a Lease says of resyncs, and the way to take the next one. */
export async function readRestarts(
  cluster: Pick<Cluster, 'kept' | 'take' | 'now'>,
  lease: LeaseName,
): ReturnType<Restarts['read']> {
  const { renewed, taken, version } = await cluster.kept(lease);
  const marks = {
    ...(renewed !== undefined && { whole: renewed }),
    ...(taken && { restart: { began: taken.at, by: taken.by } }),
  };
  return { marks, now: cluster.now(), take: (by) => cluster.take(lease, by, version) };
}
