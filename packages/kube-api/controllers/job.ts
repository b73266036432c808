import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { refOf } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import { isEqual, type JsonObject } from '../json.ts';
import {
  type Controller,
  conditionsOf,
  controlledBy,
  controllerRef,
  jobs,
  type Parts,
  partOf,
  podOfTemplate,
  pods,
  withPart,
} from './controller.ts';

/** The controller that looks after a Job whose spec names no other. */
const ownManager = 'kubernetes.io/job-controller';

/** As many Pods as a Job asks for, at a time and in all; on the node that runs nothing each of them succeeds. */
export const jobController: Controller = {
  concerns: (changed) => {
    if (changed.kind === 'Job') return [refOf(changed)];
    return changed.kind === 'Pod' ? controllerRef(changed, jobs) : [];
  },
  reconcile: (ref, { client, now }) => {
    const job = client.get(ref);
    if (job === undefined || !isOurs(job)) return;
    for (let missing = missingOf(job, client); missing > 0; missing -= 1) client.create(podOfTemplate(job));
    const status = statusOf(job, { client, now });
    if (!isEqual(status, partOf(job, 'status'))) client.updateStatus(withPart(job, 'status', status));
  },
};

function isOurs(job: KubeObject): boolean {
  const { managedBy = ownManager, suspend = false } = partOf(job, 'spec');
  const isOver = conditionsOf(job).some(({ type, status }) => type === 'Complete' && status === 'True');
  return managedBy === ownManager && suspend !== true && !isOver && job.metadata.deletionTimestamp === undefined;
}

function podsOf(job: KubeObject, client: Client): { readonly active: number; readonly succeeded: number } {
  const phases = controlledBy(job, client, pods).map((pod) => partOf(pod, 'status')['phase']);
  const succeeded = phases.filter((phase) => phase === 'Succeeded').length;
  const failed = phases.filter((phase) => phase === 'Failed').length;
  return { succeeded, active: phases.length - succeeded - failed };
}

/** Without completions the first Pod that succeeds is enough, and no further one is made. */
function missingOf(job: KubeObject, client: Client): number {
  const { parallelism = 1, completions } = partOf(job, 'spec');
  const { active, succeeded } = podsOf(job, client);
  if (completions === undefined) return succeeded > 0 ? 0 : Number(parallelism) - active;
  return Math.min(Number(parallelism), Number(completions) - succeeded) - active;
}

function statusOf(job: KubeObject, { client, now }: Parts): JsonObject {
  const { completions } = partOf(job, 'spec');
  const { startTime = now() } = partOf(job, 'status');
  const { active, succeeded } = podsOf(job, client);
  const isOver = completions === undefined ? succeeded > 0 && active === 0 : succeeded >= Number(completions);
  return {
    ...(active > 0 && { active }),
    ...(isOver && { completionTime: now(), conditions: conditions.map((each) => conditionAt(each, now())) }),
    ready: 0,
    startTime,
    ...(succeeded > 0 && { succeeded }),
    terminating: 0,
    uncountedTerminatedPods: {},
  };
}

const conditions = ['SuccessCriteriaMet', 'Complete'] as const;

function conditionAt(type: (typeof conditions)[number], now: string): JsonObject {
  const message = 'Reached expected number of succeeded pods';
  return { type, status: 'True', reason: 'CompletionsReached', message, lastProbeTime: now, lastTransitionTime: now };
}
