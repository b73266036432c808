import type { Handler } from '../src/domain/ports.ts';
import { labelledServiceOf } from '../src/parents/frp-label.ts';
import { distributedService } from '../src/parents/kinds.ts';
import { ownerOf } from '../src/parents/owner.ts';
import { subjectOf } from '../src/parents/subject.ts';
import { reconcileAll } from './reconcile-all.ts';

/** A Service of ours, or one that says to be a backend, changed. */
export const serviceChanged: Handler = async (change, context) => {
  const service = await subjectOf(change, context.reader);
  return reconcileAll([...labelledServiceOf(service), ...ownerOf(service, distributedService)], context);
};
