import type { DistributedService, DistributedServiceSpec } from '../domain/distributed-service.ts';
import { type ObjectRef, refOf } from '../domain/kube-object.ts';
import { authorityName, childName, childRoles } from '../domain/names.ts';
import type { HandlerContext } from '../domain/ports.ts';
import { servicesNear } from './services.ts';

/**
 * The DistributedServices of a namespace that name this Secret as their certificate, or whose own it would be by its
 * name. Asked when an event says nothing but a name: an event in reference mode about something that is gone.
 */
export async function servicesNamingSecret(
  { namespace: home, name }: ObjectRef,
  context: Pick<HandlerContext, 'reader' | 'controllerNamespace'>,
): Promise<readonly ObjectRef[]> {
  if (home === '') return [];
  const services = await servicesNear(home, context);
  return services
    .filter((service) => namesSecret(service, name) || mayHaveAuthority(service, { home, name }))
    .map(refOf);
}

function namesSecret({ metadata, spec }: DistributedService, secret: string): boolean {
  if (mtlsOf(spec)?.secretName === secret) return true;
  return secretRoles.some((role) => childName(metadata.name, role) === secret);
}

/** A spec that was stored under a laxer definition may lack any part; an event must not stumble over it. */
function mtlsOf(
  spec: Partial<DistributedServiceSpec>,
): Partial<DistributedServiceSpec['security']['mtls']> | undefined {
  return spec.security?.mtls;
}

/** The authority lies beside the profile that the status tells of; who has none yet may come to this one. */
function mayHaveAuthority(
  { spec, status }: DistributedService,
  { home, name }: { readonly home: string; readonly name: string },
): boolean {
  const { enabled, autoGenerate } = mtlsOf(spec) ?? {};
  if (enabled !== true || autoGenerate !== true || authorityName(spec.serverProfile) !== name) return false;
  return status?.serverProfile === undefined || status.serverProfile.startsWith(`${home}/`);
}

const secretRoles = Object.entries(childRoles).flatMap(([role, { kind }]) =>
  kind === 'Secret' ? [role as keyof typeof childRoles] : [],
);
