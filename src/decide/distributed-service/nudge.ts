import type { DistributedService } from '../../domain/distributed-service.ts';
import { refOf } from '../../domain/kube-object.ts';
import { annotations, childName, labels } from '../../domain/names.ts';
import type { Nudge, Write } from '../../domain/plan.ts';

/**
 * The Pod of the tunnel where its endpoints change: a kubelet looks at a mounted ConfigMap every minute and a half or so,
 * and at once when its Pod changes (measured on a kubelet 1.35: 75 to 87 s, and 1 s).
 */
export function nudgeOf({ metadata }: DistributedService, writes: readonly Write[]): Nudge | undefined {
  const name = childName(metadata.name, 'endpoints');
  const write = writes.find((one) => one.do === 'apply' && one.object.metadata.name === name);
  if (write?.do !== 'apply' || write.object.kind !== 'ConfigMap') return undefined;
  return {
    about: refOf(write.object),
    namespace: metadata.namespace ?? '',
    labelSelector: `${labels.tunnel}=${metadata.name},${labels.ownerUid}=${metadata.uid ?? ''}`,
    annotations: { [annotations.endpoints]: write.object.metadata.annotations?.[annotations.specHash] ?? '' },
  };
}
