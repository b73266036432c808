import { mayBeOfService } from '../src/domain/names.ts';
import type { Handler } from '../src/domain/ports.ts';
import { servicesNamingSecret } from '../src/parents/by-name.ts';
import { distributedService } from '../src/parents/kinds.ts';
import { ownerOf } from '../src/parents/owner.ts';
import { usersOfProfile } from '../src/parents/profile-users.ts';
import { reconcileAll, reconcileUsers } from './reconcile-all.ts';

/**
 * A Secret of ours changed, or one that a DistributedService names. This function never reads its data, and reads its metadata only where
 * Knudge may have given it its name.
 */
export const secretChanged: Handler = async ({ ref }, context) => {
  const secret = mayBeOfService(ref.name) ? await context.reader.getMetadata(ref) : undefined;
  const owner = ownerOf(secret, distributedService);
  if (owner.length > 0) return reconcileAll(owner, context, secret && { seen: secret });
  const users = await usersOfProfile(secret, context);
  return reconcileUsers([...users, ...(await servicesNamingSecret(ref, context))], context);
};
