import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { distributedService } from '../../managed/kinds.ts';
import { labels } from '../names.ts';

/** The DistributedService whose tunnel runs in this Pod, by the label `frp.io/tunnel` of our Pods. */
export function tunnelServiceOf(pod: KubeObject | undefined): readonly ObjectRef[] {
  const name = pod?.metadata.labels?.[labels.tunnel];
  if (pod === undefined || name === undefined || name === '') return [];
  if (pod.metadata.labels?.[labels.ownerUid] === undefined) return [];
  return [{ ...distributedService, namespace: pod.metadata.namespace ?? '', name }];
}
