import type { Handler } from '../packages/controller/domain/ports.ts';
import { distributedService } from '../packages/controller/parents/kinds.ts';
import { ownerOf } from '../packages/controller/parents/owner.ts';
import { subjectOf } from '../packages/controller/parents/subject.ts';
import { usersOfConfigMap } from '../resources/distributed-service/parents/profile-users.ts';
import { reconcileUsers } from './reconcile-all.ts';

/** A ConfigMap of ours changed, or the profile of an FRP server did. */
export const configMapChanged: Handler = async (change, context) => {
  const configMap = await subjectOf(change, context.reader);
  const users = await usersOfConfigMap(configMap, context);
  return reconcileUsers([...ownerOf(configMap, distributedService), ...users], context);
};
