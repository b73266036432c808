import type { Handler } from '../packages/controller/domain/ports.ts';
import { subjectOf } from '../packages/controller/parents/subject.ts';
import { labelledServiceOf } from '../resources/distributed-service/parents/frp-label.ts';
import { scalersOf } from '../resources/distributed-service/parents/scalers.ts';
import { distributedService } from '../resources/managed/kinds.ts';
import { ownerOfChild } from '../resources/managed/owner-of-child.ts';
import { reconcileAll } from './reconcile-all.ts';

/** A Service of ours, or one that says to be a backend, changed; who scales what its owner scales may do so now, or no more. */
export const serviceChanged: Handler = async (change, context) => {
  const service = await subjectOf(change, context.reader);
  const scalers = await scalersOf(change, service, context.reader);
  // Whether a DistributedService is the owner is found out with its scalers.
  const owner = ownerOfChild(service, 'Service').filter(({ kind }) => kind !== distributedService.kind);
  return reconcileAll([...labelledServiceOf(service), ...scalers, ...owner], context);
};
