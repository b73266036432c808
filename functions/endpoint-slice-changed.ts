import type { Handler } from '../src/domain/ports.ts';
import { labelledServiceOf } from '../src/parents/frp-label.ts';
import { subjectOf } from '../src/parents/subject.ts';
import { reconcileAll } from './reconcile-all.ts';

/** The endpoints of a selector Service changed: its slices carry the label of the DistributedService. */
export const endpointSliceChanged: Handler = async (change, context) =>
  reconcileAll(labelledServiceOf(await subjectOf(change, context.reader)), context);
