import type { Handler } from '../packages/controller/domain/ports.ts';
import { reconcileAll } from '../packages/controller/functions/reconcile-all.ts';
import { subjectOf } from '../packages/controller/parents/subject.ts';
import { ownerOfChild } from '../resources/managed/owner-of-child.ts';

/** The Deployment of a tunnel changed: its readiness is part of the service's state. */
export const deploymentChanged: Handler = async (change, context) =>
  reconcileAll(ownerOfChild(await subjectOf(change, context.reader), 'Deployment'), context);
