import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultProxy } from '../proxy/fault-proxy.ts';
import { workOfControllers } from './at-rest.ts';
import type { NamespaceLog } from './namespace-log.ts';
import type { Writes } from './writes.ts';

export interface Resting {
  readonly log: Pick<NamespaceLog, 'changes' | 'objects' | 'quietMs'>;
  readonly writes: Pick<Writes, 'owed' | 'count'>;
  readonly proxy: Pick<FaultProxy, 'underWay'>;
  readonly problems: string[];
}

/** Gives a wait until the watches have reported every write and the controllers of Kubernetes have nothing to do. */
export function createRest({ log, writes, proxy, problems }: Resting): () => Promise<void> {
  const stuck = new Set<string>();
  let known = { key: '', owed: '', busy: '' };
  const look = (): typeof known => {
    const key = `${String(log.changes.length)} ${String(writes.count())}`;
    // Nothing new to see: many runs look at their objects a hundred times a second.
    if (key === known.key) return known;
    known = { key, owed: writes.owed(log.changes).join(', '), busy: workOfControllers(log.objects()) };
    return known;
  };
  const isAtRest = (): boolean => {
    if (log.quietMs() < quietMs || proxy.underWay() > 0) return false;
    const { owed, busy } = look();
    if (log.quietMs() > stuckMs && !isOwnPause(busy)) stuck.add(busy);
    return owed === '' && (busy === '' || stuck.has(busy));
  };
  return async () => {
    const end = performance.now() + longestWaitMs;
    while (!isAtRest()) {
      if (performance.now() > end) return void problems.push(`the cluster does not rest: ${known.owed} ${known.busy}`);
      await sleep(pollMs);
    }
  };
}

/** The controller of namespaces looks again after longer and longer pauses, and then lets an empty one go. */
function isOwnPause(busy: string): boolean {
  return busy.startsWith('Namespace ');
}

/** On a machine that has much else to do a rollout takes long. */
const longestWaitMs = 90_000;
/** What has not gone on for this long waits for somebody, now and later: for a Pod that a person made unready, for a finalizer. */
const stuckMs = 15_000;
/** After this long without a change the next one has no cause in the last. */
const quietMs = 30;
const pollMs = 10;
