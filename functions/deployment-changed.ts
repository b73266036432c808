import type { Handler } from '../src/domain/ports.ts';
import { distributedService } from '../src/parents/kinds.ts';
import { ownerOf } from '../src/parents/owner.ts';
import { subjectOf } from '../src/parents/subject.ts';
import { reconcileAll } from './reconcile-all.ts';

/** The Deployment of a tunnel changed: its readiness is part of the service's state. */
export const deploymentChanged: Handler = async (change, context) =>
  reconcileAll(ownerOf(await subjectOf(change, context.reader), distributedService), context);
