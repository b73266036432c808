import type { Handler } from '../packages/controller/domain/ports.ts';
import { distributedService } from '../packages/controller/parents/kinds.ts';
import { ownerOf } from '../packages/controller/parents/owner.ts';
import { subjectOf } from '../packages/controller/parents/subject.ts';
import { reconcileAll } from './reconcile-all.ts';

/** The Deployment of a tunnel changed: its readiness is part of the service's state. */
export const deploymentChanged: Handler = async (change, context) =>
  reconcileAll(ownerOf(await subjectOf(change, context.reader), distributedService), context);
