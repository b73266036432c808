import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { distributedService } from '../../managed/kinds.ts';
import { labels } from '../names.ts';

/** The DistributedService that an object says to be a backend of, by the label `frp.io/service`. */
export function labelledServiceOf(object: KubeObject | undefined): readonly ObjectRef[] {
  const name = object?.metadata.labels?.[labels.service];
  if (object === undefined || name === undefined || name === '') return [];
  return [{ ...distributedService, namespace: object.metadata.namespace ?? '', name }];
}
