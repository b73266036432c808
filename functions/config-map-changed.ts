import type { Handler } from '../src/domain/ports.ts';
import { distributedService } from '../src/parents/kinds.ts';
import { ownerOf } from '../src/parents/owner.ts';
import { usersOfConfigMap } from '../src/parents/profile-users.ts';
import { subjectOf } from '../src/parents/subject.ts';
import { reconcileUsers } from './reconcile-all.ts';

/** A ConfigMap of ours changed, or the profile of an FRP server did. */
export const configMapChanged: Handler = async (change, context) => {
  const configMap = await subjectOf(change, context.reader);
  const users = await usersOfConfigMap(configMap, context);
  return reconcileUsers([...ownerOf(configMap, distributedService), ...users], context);
};
