import type { Handler } from '../src/domain/ports.ts';
import { labelledServiceOf } from '../src/parents/frp-label.ts';
import { claimantsOf } from '../src/parents/rivals.ts';
import { subjectOf } from '../src/parents/subject.ts';
import { reconcileAll } from './reconcile-all.ts';

/** A Service of ours, or one that says to be a backend, changed; who wants what its owner wants may get it now, or lose it. */
export const serviceChanged: Handler = async (change, context) => {
  const service = await subjectOf(change, context.reader);
  const claimants = await claimantsOf(change, service, context.reader);
  return reconcileAll([...labelledServiceOf(service), ...claimants], context);
};
