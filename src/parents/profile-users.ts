import type { DistributedService } from '../domain/distributed-service.ts';
import { type KubeObject, type ObjectRef, refOf } from '../domain/kube-object.ts';
import { labels } from '../domain/names.ts';
import type { HandlerContext } from '../domain/ports.ts';
import { distributedService } from './kinds.ts';

/**
 * Every DistributedService that may use the FRP server profile an object belongs to: those of its namespace and, for
 * the controller's namespace, of all. The label is the profile's own, or that of its certificate authority.
 */
export async function usersOfProfile(
  object: KubeObject | undefined,
  { reader, controllerNamespace }: Pick<HandlerContext, 'reader' | 'controllerNamespace'>,
): Promise<readonly ObjectRef[]> {
  const profile = object?.metadata.labels?.[labels.serverProfile] ?? object?.metadata.labels?.[labels.authority];
  if (object === undefined || profile === undefined) return [];
  const home = object.metadata.namespace ?? '';
  const namespace = home === controllerNamespace ? '' : home;
  const services = await reader.list({ ...distributedService, namespace, labelSelector: '' });
  return services.filter((service) => (service as DistributedService).spec.serverProfile === profile).map(refOf);
}
