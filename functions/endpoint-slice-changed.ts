import type { Handler } from '../packages/controller/domain/ports.ts';
import { reconcileAll } from '../packages/controller/functions/reconcile-all.ts';
import { subjectOf } from '../packages/controller/parents/subject.ts';
import { labelledServiceOf } from '../resources/distributed-service/parents/frp-label.ts';

/** The endpoints of a selector Service changed: its slices carry the label of the DistributedService. */
export const endpointSliceChanged: Handler = async (change, context) =>
  reconcileAll(labelledServiceOf(await subjectOf(change, context.reader)), context);
