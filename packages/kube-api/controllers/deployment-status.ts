import type { KubeObject } from '../../controller/domain/kube-object.ts';
import type { Json, JsonObject } from '../json.ts';
import { conditionsOf, partOf } from './controller.ts';

interface Seen {
  readonly sets: readonly KubeObject[];
  readonly current?: KubeObject;
  readonly now: string;
}

/** The status of a Deployment from its ReplicaSets. Zeros are left out, as Go leaves them out of its JSON. */
export function deploymentStatus(deployment: KubeObject, { sets, current, now }: Seen): JsonObject {
  const sum = (field: string): number =>
    sets.reduce((total, set) => total + Number(partOf(set, 'status')[field] ?? 0), 0);
  const desired = Number(partOf(deployment, 'spec')['replicas'] ?? 1);
  const available = sum('availableReplicas');
  const updated = current === undefined ? 0 : Number(partOf(current, 'status')['replicas'] ?? 0);
  const replicas = sum('replicas');
  const isThere = available >= desired;
  const isComplete = current !== undefined && updated === desired && replicas === desired && isThere;
  const { collisionCount } = partOf(deployment, 'status');
  return {
    ...(available > 0 && { availableReplicas: available }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: conditionsFor(deployment, { isThere, isComplete, name: current?.metadata.name ?? '', now }),
    observedGeneration: deployment.metadata.generation ?? 1,
    ...(sum('readyReplicas') > 0 && { readyReplicas: sum('readyReplicas') }),
    ...(replicas > 0 && { replicas }),
    terminatingReplicas: sum('terminatingReplicas'),
    ...(desired > available && { unavailableReplicas: desired - available }),
    ...(updated > 0 && { updatedReplicas: updated }),
  };
}

interface Facts {
  readonly isThere: boolean;
  readonly isComplete: boolean;
  readonly name: string;
  readonly now: string;
}

function conditionsFor(deployment: KubeObject, { isThere, isComplete, name, now }: Facts): readonly Json[] {
  const available = isThere
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  const progressing = isComplete
    ? { reason: 'NewReplicaSetAvailable', message: `ReplicaSet "${name}" has successfully progressed.` }
    : { reason: 'ReplicaSetUpdated', message: `ReplicaSet "${name}" is progressing.` };
  return [available, { type: 'Progressing', status: 'True', ...progressing }].map((wanted) => {
    const before = conditionsOf(deployment).find(({ type }) => type === wanted.type);
    const isSame =
      before?.['status'] === wanted.status &&
      before['reason'] === wanted.reason &&
      before['message'] === wanted.message;
    if (isSame) return before as Json;
    const since = before?.['status'] === wanted.status ? (before['lastTransitionTime'] ?? now) : now;
    return { lastTransitionTime: since, lastUpdateTime: now, ...wanted };
  });
}
