import { type KubeObject, type ObjectRef, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { HandlerContext } from '../../../packages/controller/domain/ports.ts';
import { labels } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { servicesNear } from './services.ts';

type From = Pick<HandlerContext, 'reader' | 'controllerNamespace'>;

/**
 * Every DistributedService that may use the FRP server profile an object belongs to: those of its namespace and, for
 * the controller's namespace, of all. The label is the profile's own, or that of its certificate authority.
 */
export async function usersOfProfile(object: KubeObject | undefined, context: From): Promise<readonly ObjectRef[]> {
  return (await usersOf(object, context)).map(refOf);
}

/**
 * The same for the ConfigMap of an event. It is read by its name first, so that a made-up event does not wake all users. If it is
 * deleted, or has another label by now, only these services are woken: those whose status names it, those that may have no profile that they
 * can use, and the users of its new label.
 */
export async function usersOfConfigMap(hint: KubeObject | undefined, context: From): Promise<readonly ObjectRef[]> {
  if (hint === undefined || profileOf(hint) === undefined) return [];
  const ref = refOf(hint);
  const configMap = await context.reader.getMetadata(ref);
  if (configMap !== undefined && profileOf(configMap) === profileOf(hint)) return usersOfProfile(configMap, context);
  const users = await usersOf(hint, context);
  const now = await usersOfProfile(configMap, context);
  return [...users.filter((service) => isUsedBy(service, ref)).map(refOf), ...now];
}

async function usersOf(object: KubeObject | undefined, context: From): Promise<readonly DistributedService[]> {
  const profile = object && profileOf(object);
  if (object === undefined || profile === undefined || !labelValue.test(profile)) return [];
  const services = await servicesNear(object.metadata.namespace ?? '', context, `spec.serverProfile=${profile}`);
  return services.filter(({ spec }) => spec.serverProfile === profile);
}

/** An event may carry a value that the API server never took: a comma in it would begin another term of the selector. */
const labelValue = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

function profileOf({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.[labels.serverProfile] ?? metadata.labels?.[labels.authority];
}

function isUsedBy({ status }: DistributedService, { namespace, name }: ObjectRef): boolean {
  const isValid = status?.conditions?.some((one) => one.type === 'ConfigurationValid' && one.status === 'True');
  // While it has none that it can use, its status names the one of before.
  return isValid !== true || status?.serverProfile === undefined || status.serverProfile === `${namespace}/${name}`;
}
