import type { DistributedService } from '../domain/distributed-service.ts';
import { type ObjectRef, refOf } from '../domain/kube-object.ts';
import { childName, childRoles } from '../domain/names.ts';
import type { Reader } from '../domain/ports.ts';
import { distributedService } from './kinds.ts';

/**
 * The DistributedServices of a namespace that name this Secret as their certificate, or whose own it would be by its
 * name. Asked when an event says nothing but a name: an event in reference mode about something that is gone.
 */
export async function servicesNamingSecret({ namespace, name }: ObjectRef, reader: Reader): Promise<readonly ObjectRef[]> {
  if (namespace === '') return [];
  const services = await reader.list({ ...distributedService, namespace, labelSelector: '' });
  return services.filter((service) => namesSecret(service as DistributedService, name)).map(refOf);
}

function namesSecret({ metadata, spec }: DistributedService, secret: string): boolean {
  if (spec.security.mtls.secretName === secret) return true;
  return secretRoles.some((role) => childName(metadata.name, role) === secret);
}

const secretRoles = Object.entries(childRoles).flatMap(([role, { kind }]) =>
  kind === 'Secret' ? [role as keyof typeof childRoles] : [],
);
