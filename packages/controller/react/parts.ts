import type { Cluster } from '../cluster/cluster.ts';
import type { Resource } from '../decide/resource.ts';
import type { Sender } from '../domain/ports.ts';
import type { Config } from '../server/config.ts';
import type { createLog } from '../server/log.ts';
import type { Metrics } from '../server/metrics.ts';
import type { Outside } from './outside.ts';

/** What functions are made of that changes wake. */
export interface RunParts {
  readonly cluster: Cluster;
  readonly config: Pick<Config, 'controllerNamespace' | 'handlerDeadlineSeconds'>;
  readonly log: ReturnType<typeof createLog>;
  readonly metrics: Pick<Metrics, 'reconciled' | 'reconcileFailed' | 'resyncRepaired'>;
  readonly outside: Outside;
  /** What is managed here. */
  readonly resources: readonly Resource[];
  /** Takes events for the Broker; absent where the environment names none. */
  readonly sender?: Sender | undefined;
}
