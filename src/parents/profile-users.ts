import { type KubeObject, type ObjectRef, refOf } from '../domain/kube-object.ts';
import { labels } from '../domain/names.ts';
import type { HandlerContext } from '../domain/ports.ts';
import { servicesNear } from './services.ts';

/**
 * Every DistributedService that may use the FRP server profile an object belongs to: those of its namespace and, for
 * the controller's namespace, of all. The label is the profile's own, or that of its certificate authority.
 */
export async function usersOfProfile(
  object: KubeObject | undefined,
  context: Pick<HandlerContext, 'reader' | 'controllerNamespace'>,
): Promise<readonly ObjectRef[]> {
  const profile = object?.metadata.labels?.[labels.serverProfile] ?? object?.metadata.labels?.[labels.authority];
  if (object === undefined || profile === undefined) return [];
  const services = await servicesNear(object.metadata.namespace ?? '', context);
  return services.filter(({ spec }) => spec.serverProfile === profile).map(refOf);
}
