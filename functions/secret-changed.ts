import type { Handler } from '../packages/controller/domain/ports.ts';
import { reconcileAll, reconcileUsers } from '../packages/controller/functions/reconcile-all.ts';
import { servicesNamingSecret } from '../resources/distributed-service/parents/by-name.ts';
import { mayBeOfService } from '../resources/distributed-service/parents/of-service.ts';
import { usersOfProfile } from '../resources/distributed-service/parents/profile-users.ts';
import { ownerOfChild } from '../resources/managed/owner-of-child.ts';

/**
 * A Secret of ours changed, or one that a DistributedService names. This function never reads its data, and reads its metadata only where
 * Knudge may have given it its name.
 */
export const secretChanged: Handler = async ({ ref }, context) => {
  const secret = mayBeOfService(ref.name) ? await context.reader.getMetadata(ref) : undefined;
  const owner = ownerOfChild(secret, 'Secret');
  if (owner.length > 0) return reconcileAll(owner, context, secret && { seen: secret });
  const users = await usersOfProfile(secret, context);
  return reconcileUsers([...users, ...(await servicesNamingSecret(ref, context))], context);
};
