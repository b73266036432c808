import type { DistributedService } from '../../domain/distributed-service.ts';
import { refOf } from '../../domain/kube-object.ts';
import { annotations, childName } from '../../domain/names.ts';
import type { Nudge, Write } from '../../domain/plan.ts';
import { versionOf } from './live-endpoints.ts';
import { tunnelPodSelector } from './tunnel-pod.ts';

/**
 * The Pod of the tunnel where its endpoints change: a kubelet looks at a mounted ConfigMap every minute and a half or so,
 * and at once when its Pod changes (measured on a kubelet 1.35: 75 to 87 s, and 1 s).
 */
export function nudgeOf(owner: DistributedService, writes: readonly Write[]): Nudge | undefined {
  const { metadata } = owner;
  const name = childName(metadata.name, 'endpoints');
  const write = writes.find((one) => one.do === 'apply' && one.object.metadata.name === name);
  if (write?.do !== 'apply' || write.object.kind !== 'ConfigMap') return undefined;
  return {
    about: refOf(write.object),
    namespace: metadata.namespace ?? '',
    labelSelector: tunnelPodSelector(owner),
    annotations: { [annotations.endpoints]: versionOf(write.object) },
  };
}
