import type { Handler } from '../src/domain/ports.ts';
import { labelledServiceOf } from '../src/parents/frp-label.ts';
import { message } from '../src/parents/kinds.ts';
import { ownerOf } from '../src/parents/owner.ts';
import { subjectOf } from '../src/parents/subject.ts';
import { tunnelServiceOf } from '../src/parents/tunnel.ts';
import { reconcileAll } from './reconcile-all.ts';

/** A Pod came, changed or went: is it an frp backend, does it run a tunnel, or does it print a Message? */
export const podChanged: Handler = async (change, context) => {
  const pod = await subjectOf(change, context.reader);
  const tunnel = tunnelServiceOf(pod);
  if (tunnel.length > 0) await context.settled(change.ref);
  return reconcileAll([...labelledServiceOf(pod), ...tunnel, ...ownerOf(pod, message)], context);
};
