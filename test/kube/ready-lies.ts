import assert from 'node:assert/strict';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../resources/distributed-service/types.ts';
import { unlikeSpec } from '../faults/oracles/readiness.ts';
import type { Arena } from './arena.ts';

/** Milliseconds between two looks at a status. */
export const everyMs = 20;

interface Rollout extends KubeObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

export const isTrue = ({ status }: DistributedService, type: string): boolean =>
  status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;

/** As `kubectl wait --for=condition=Ready` and kstatus take it. */
const isCurrent = (service: DistributedService): boolean =>
  isTrue(service, 'Ready') && service.status?.observedGeneration === service.metadata.generation;

/**
 * What is of an older generation while the service `web` is called Ready; nothing where it has changed while that was looked at.
 * @param trafficOf what is wrong with its traffic, where there is any
 */
export async function lieOf(
  arena: Arena,
  namespace: string,
  trafficOf: (service: DistributedService) => Promise<string | undefined> = async () => undefined,
): Promise<string | undefined> {
  const before = await arena.service(namespace, 'web');
  if (before === undefined || !isCurrent(before)) return undefined;
  const get = (kind: string, name: string, apiVersion = 'v1') => arena.get(apiVersion, kind, { namespace, name });
  const [config, tunnel, traffic] = await Promise.all([
    get('ConfigMap', 'frp-web-config'),
    get('Deployment', 'frp-web', 'apps/v1'),
    trafficOf(before),
  ]);
  const now = await arena.service(namespace, 'web');
  if (now === undefined || now.metadata.generation !== before.metadata.generation || !isCurrent(now)) return undefined;
  if (now.status?.state !== 'Running') return `it is ${String(now.status?.state)}`;
  const { metadata, status = {} } = (tunnel ?? assert.fail('there is no tunnel')) as Rollout;
  const { observedGeneration, replicas, updatedReplicas, availableReplicas } = status;
  const isRolledOut = observedGeneration === metadata.generation && updatedReplicas === 1 && availableReplicas === 1;
  if (!isRolledOut || replicas !== 1) return `its tunnel is not rolled out: ${JSON.stringify(status)}`;
  return unlikeSpec(config, now) ?? traffic;
}
