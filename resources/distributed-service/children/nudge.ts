import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Nudge, Write } from '../../../packages/controller/domain/plan.ts';
import { versionOf } from '../envoy/live-endpoints.ts';
import { annotations, childName } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { tunnelPodSelector } from './tunnel-pod.ts';

/**
 * The Pod of the tunnel where its endpoints change: a kubelet looks at a mounted ConfigMap every minute and a half or so,
 * and at once when its Pod changes (measured on a kubelet 1.35: 75 to 87 s, and 1 s).
 */
export function nudgeOf(
  owner: DistributedService,
  writes: readonly Write[],
  pods: readonly KubeObject[],
): Nudge | undefined {
  const { metadata } = owner;
  const name = childName(metadata.name, 'endpoints');
  const written = writes.flatMap((write) => (write.do === 'create' || write.do === 'apply' ? [write] : []));
  const write = written.find(({ object }) => object.kind === 'ConfigMap' && object.metadata.name === name);
  // Made for the first time, nobody has it mounted yet; made again, the Pod has what was there before.
  if (write === undefined || (write.do === 'create' && pods.length === 0)) return undefined;
  return {
    about: refOf(write.object),
    namespace: metadata.namespace ?? '',
    labelSelector: tunnelPodSelector(owner),
    annotations: { [annotations.endpoints]: versionOf(write.object) },
  };
}
