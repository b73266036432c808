import type { Handler } from '../src/domain/ports.ts';
import { labelledServiceOf } from '../src/parents/frp-label.ts';
import { message } from '../src/parents/kinds.ts';
import { ownerOf } from '../src/parents/owner.ts';
import { subjectOf } from '../src/parents/subject.ts';
import { reconcileAll } from './reconcile-all.ts';

/** A Pod came, changed or went: is it an frp backend, or does it print a Message? */
export const podChanged: Handler = async (change, context) => {
  const pod = await subjectOf(change, context.reader);
  return reconcileAll([...labelledServiceOf(pod), ...ownerOf(pod, message)], context);
};
