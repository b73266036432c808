import type { Handler } from '../packages/controller/domain/ports.ts';
import { reconcileAll } from '../packages/controller/functions/reconcile-all.ts';
import { subjectOf } from '../packages/controller/parents/subject.ts';
import { thatAreThere } from '../packages/controller/parents/there.ts';
import { labelledServiceOf } from '../resources/distributed-service/parents/frp-label.ts';
import { messageOfStray } from '../resources/distributed-service/parents/stray-pod.ts';
import { tunnelServiceOf } from '../resources/distributed-service/parents/tunnel.ts';
import { ownerOfChild } from '../resources/managed/owner-of-child.ts';

/** A Pod was added, changed or deleted: reconciles the service that it is a backend of or whose tunnel it runs, or its Message. */
export const podChanged: Handler = async (change, context) => {
  const pod = await subjectOf(change, context.reader);
  const tunnel = tunnelServiceOf(pod);
  if (tunnel.length > 0) await context.settled(change.ref);
  const parents = [...labelledServiceOf(pod), ...tunnel, ...ownerOfChild(pod, 'Pod'), ...messageOfStray(pod)];
  // No object shows which endpoints an Envoy has taken.
  const how = tunnel.length > 0 ? { insists: true } : {};
  // A real Pod has at most one of these parents, but anybody can set labels.
  const there = parents.length > 1 ? await thatAreThere(parents, context.reader) : parents;
  return reconcileAll(there, context, how);
};
