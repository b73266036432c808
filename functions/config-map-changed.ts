import type { Handler } from '../packages/controller/domain/ports.ts';
import { reconcileUsers } from '../packages/controller/functions/reconcile-all.ts';
import { subjectOf } from '../packages/controller/parents/subject.ts';
import { usersOfConfigMap } from '../resources/distributed-service/parents/profile-users.ts';
import { ownerOfChild } from '../resources/managed/owner-of-child.ts';

/** A ConfigMap of ours changed, or the profile of an FRP server did. */
export const configMapChanged: Handler = async (change, context) => {
  const configMap = await subjectOf(change, context.reader);
  const users = await usersOfConfigMap(configMap, context);
  return reconcileUsers([...ownerOfChild(configMap, 'ConfigMap'), ...users], context);
};
