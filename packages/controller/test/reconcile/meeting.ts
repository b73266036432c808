import type { DistributedService } from '../../../../resources/distributed-service/types.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { reconcileOn } from '../../../../test/build/run.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import type { Reader, Writer } from '../../domain/ports.ts';

const writes = ['create', 'apply', 'delete', 'scale', 'finalizers', 'status'] as const;

/** Where two runs meet: the one stops before its n-th call, the other then before its m-th; the one ends, and then the other. */
export interface Meeting {
  readonly nth: number;
  /** If absent, the other runs to its end meanwhile. */
  readonly mth?: number;
  /** The one ends where it stops. */
  readonly dies: boolean;
  /** Called whenever one of them has stopped or ended. */
  readonly look: () => Promise<void>;
}

/** What came of the two: whether each had this many calls. */
export interface Met {
  readonly one: boolean;
  readonly other: boolean;
}

/** Two reconciles of which each is stopped once. */
export async function meet(
  cluster: MemoryCluster,
  [one, other]: readonly [DistributedService, DistributedService],
  { nth, mth = Number.POSITIVE_INFINITY, dies, look }: Meeting,
): Promise<Met> {
  let met: Met = { one: false, other: false };
  let rest: Promise<unknown> = Promise.resolve();
  const goOn = Promise.withResolvers<void>();
  const stopOther = async (stopped: () => void): Promise<void> => {
    met = { ...met, other: true };
    stopped();
    await goOn.promise;
  };
  const stopOne = async (): Promise<void> => {
    met = { ...met, one: true };
    const stopped = Promise.withResolvers<void>();
    rest = reconcileOn(
      stoppedAt(cluster, mth, () => stopOther(stopped.resolve)),
      refOf(other),
    );
    await Promise.race([rest, stopped.promise]);
    await look();
    if (dies) throw new Error('the process dies');
  };
  await reconcileOn(stoppedAt(cluster, nth, stopOne), refOf(one)).catch((error: unknown) => {
    if (!dies || !met.one) throw error;
  });
  await look();
  goOn.resolve();
  await rest;
  await look();
  return met;
}

/** What who holds a host and who publishes it hangs on. */
function matters(verb: string, what: unknown): boolean {
  const { kind, name, metadata }: Partial<ObjectRef & KubeObject> = Object(what);
  return kind === 'Claim' || verb === 'status' || (name ?? metadata?.name ?? '').endsWith('-config');
}

/** The same cluster, whose n-th write of what matters, or list of Claims, waits. */
function stoppedAt(cluster: MemoryCluster, nth: number, stop: () => Promise<void>): Reader & Writer {
  let count = 0;
  const counted = async (): Promise<void> => {
    count += 1;
    if (count === nth) await stop();
  };
  const writing = writes.map((verb) => {
    const run = cluster[verb] as (...of: readonly unknown[]) => Promise<unknown>;
    const counts = (...of: readonly unknown[]) =>
      matters(verb, of[0]) ? counted().then(() => run(...of)) : run(...of);
    return [verb, counts] as const;
  });
  const list: Reader['list'] = async (query) => {
    if (query.kind === 'Claim') await counted();
    return cluster.list(query);
  };
  return { ...cluster, ...(Object.fromEntries(writing) as Pick<Writer, (typeof writes)[number]>), list };
}
