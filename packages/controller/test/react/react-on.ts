import assert from 'node:assert/strict';
import { resourcesWith } from '../../../../resources/managed/resources.ts';
import type { MemoryCluster } from '../../../../test/build/memory-cluster.ts';
import { given } from '../../../../test/build/objects.ts';
import { tools } from '../../../../test/build/tools.ts';
import type { Sender } from '../../domain/ports.ts';
import { type ChangeFunction, reactToChanges } from '../../react/change.ts';
import { keepRuns } from '../../react/runs.ts';
import { createLog } from '../../server/log.ts';
import { createMetrics } from '../../server/metrics.ts';

interface ProcessOptions {
  /** Milliseconds. */
  readonly elapsed?: () => number;
  /** The Broker; none if absent. */
  readonly sender?: Sender;
}

/** A function that changes wake, as it is deployed, on a cluster in memory and by a clock that the test moves. */
export function reactOn(cluster: MemoryCluster, own: Omit<ChangeFunction, 'stem'>, options: ProcessOptions = {}) {
  const { handleOf, lines, metrics } = processOn(cluster, options);
  return { handle: handleOf(own), lines, metrics };
}

/** A process as it is deployed, whose functions share their runs. */
export function processOn(cluster: MemoryCluster, { elapsed = () => 0, sender }: ProcessOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const metrics = createMetrics({ now: () => 0 });
  const log = createLog(
    { logLevel: 'info', service: 'distributed-service-changed', revision: '' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const outside = {
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    elapsed,
    after: (_: number, task: () => void) => {
      task();
      return () => undefined;
    },
    random: () => 0,
  };
  const { controllerNamespace } = given();
  const never = (): Promise<never> => Promise.reject(new Error('not asked for'));
  const others = {
    page: never,
    keepRound: never,
    endRound: never,
    renewed: never,
    kept: never,
    take: never,
    tokenKeys: never,
    close: () => undefined,
  };
  const whole = { ...cluster, ...others, host: '10.96.0.1', now: outside.now };
  const config = { controllerNamespace, handlerDeadlineSeconds: 9 };
  const runs = keepRuns({ cluster: whole, config, log, metrics, outside, resources: resourcesWith(tools()), sender });
  const handleOf = (own: Omit<ChangeFunction, 'stem'>) => {
    const reaction = reactToChanges(own, runs);
    assert.ok(reaction.to === 'change');
    return reaction.handle;
  };
  return { handleOf, lines, metrics };
}
