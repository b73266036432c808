import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { refOf } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import { isEqual, type JsonObject, objectAt } from '../json.ts';
import { claim, claimants } from './claim.ts';
import {
  type Controller,
  controlledBy,
  controllerRef,
  isReady,
  partOf,
  podOfTemplate,
  pods,
  replicaSets,
  withPart,
} from './controller.ts';

/** As many Pods of its template as a ReplicaSet asks for. */
export const replicaSetController: Controller = {
  concerns: (changed, client) => {
    if (changed.kind === 'ReplicaSet') return [refOf(changed)];
    if (changed.kind !== 'Pod') return [];
    return [...controllerRef(changed, replicaSets), ...claimants(changed, client, replicaSets)];
  },
  reconcile: (ref, { client }) => {
    const set = client.get(ref);
    if (set === undefined) return;
    if (set.metadata.deletionTimestamp === undefined) {
      claim(set, client, { kind: pods, isWanted: isActive });
      scale(set, client);
    }
    const status = statusOf(set, client);
    if (!isEqual(status, partOf(set, 'status'))) client.updateStatus(withPart(set, 'status', status));
  },
};

function scale(set: KubeObject, client: Client): void {
  const { replicas } = partOf(set, 'spec');
  const active = activeOf(set, client);
  const wanted = Number(replicas ?? 1);
  for (let missing = wanted - active.length; missing > 0; missing -= 1) client.create(podOfTemplate(set));
  for (const pod of [...active].sort(unreadyThenYoungest).slice(0, Math.max(0, active.length - wanted))) {
    client.delete(refOf(pod));
  }
}

function activeOf(set: KubeObject, client: Client): readonly KubeObject[] {
  return controlledBy(set, client, pods).filter(isActive);
}

function isActive(pod: KubeObject): boolean {
  const { phase } = partOf(pod, 'status');
  return pod.metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed';
}

function unreadyThenYoungest(one: KubeObject, other: KubeObject): number {
  const byReadiness = Number(isReady(one)) - Number(isReady(other));
  if (byReadiness !== 0) return byReadiness;
  return (other.metadata.creationTimestamp ?? '').localeCompare(one.metadata.creationTimestamp ?? '');
}

/** Zeros are left out, as Go leaves them out of its JSON; `replicas` and `terminatingReplicas` are not. */
function statusOf(set: KubeObject, client: Client): JsonObject {
  const active = activeOf(set, client);
  const leaving = controlledBy(set, client, pods).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const labels = Object.entries(objectAt(partOf(set, 'spec', 'template', 'metadata'), 'labels'));
  const labelled = active.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value));
  const ready = active.filter(isReady).length;
  return {
    ...(ready > 0 && { availableReplicas: ready }),
    ...(labelled.length > 0 && { fullyLabeledReplicas: labelled.length }),
    observedGeneration: set.metadata.generation ?? 1,
    ...(ready > 0 && { readyReplicas: ready }),
    replicas: active.length,
    terminatingReplicas: leaving.length,
  };
}
