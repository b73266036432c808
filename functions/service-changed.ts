import type { Handler } from '../packages/controller/domain/ports.ts';
import { reconcileAll } from '../packages/controller/functions/reconcile-all.ts';
import { subjectOf } from '../packages/controller/parents/subject.ts';
import { labelledServiceOf } from '../resources/distributed-service/parents/frp-label.ts';
import { scalersOf } from '../resources/distributed-service/parents/scalers.ts';
import { distributedService } from '../resources/managed/kinds.ts';
import { ownerOfChild } from '../resources/managed/owner-of-child.ts';

/**
 * Handles a change of one of our Services or of a labelled backend. DistributedServices that scale the same workload as its owner are
 * reconciled too: one of them may scale it from now on, or may no longer.
 */
export const serviceChanged: Handler = async (change, context) => {
  const service = await subjectOf(change, context.reader);
  const scalers = await scalersOf(change, service, context.reader);
  // Whether a DistributedService is the owner is found out with its scalers.
  const owner = ownerOfChild(service, 'Service').filter(({ kind }) => kind !== distributedService.kind);
  return reconcileAll([...labelledServiceOf(service), ...scalers, ...owner], context);
};
