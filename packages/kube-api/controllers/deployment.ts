import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { refOf } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import { isEqual, type JsonObject } from '../json.ts';
import { claim, claimants } from './claim.ts';
import {
  type Controller,
  controlledBy,
  controllerRef,
  deployments,
  type Parts,
  partOf,
  pods,
  replicaSets,
  withPart,
} from './controller.ts';
import { deploymentStatus } from './deployment-status.ts';
import { setOf, templateOf } from './set-of.ts';

const revision = 'deployment.kubernetes.io/revision';

/** One ReplicaSet for each template that a Deployment had; the current one takes over step by step. */
export const deploymentController: Controller = {
  concerns: (changed, client) => {
    if (changed.kind === 'Deployment') return [refOf(changed)];
    if (changed.kind === 'ReplicaSet') {
      return [...controllerRef(changed, deployments), ...claimants(changed, client, deployments)];
    }
    if (changed.kind !== 'Pod' || changed.metadata.deletionTimestamp === undefined) return [];
    return controllerRef(changed, replicaSets).flatMap((ref) => {
      const set = client.get(ref);
      return set === undefined ? [] : controllerRef(set, deployments);
    });
  },
  reconcile: (ref, parts) => {
    const { client } = parts;
    const deployment = client.get(ref);
    if (deployment === undefined) return;
    if (deployment.metadata.deletionTimestamp === undefined) {
      claim(deployment, client, { kind: replicaSets });
      if (partOf(deployment, 'spec')['paused'] !== true) roll(deployment, client);
    }
    const now = client.get(ref);
    if (now !== undefined) tell(now, parts);
  },
};

function roll(deployment: KubeObject, client: Client): void {
  const sets = controlledBy(deployment, client, replicaSets);
  const current = sets.find((set) => isEqual(templateOf(set), templateOf(deployment)));
  const old = sets.filter((set) => set !== current);
  const desired = Number(partOf(deployment, 'spec')['replicas'] ?? 1);
  const { surge, unavailable } = boundsOf(deployment, desired);
  const isRecreate = partOf(deployment, 'spec', 'strategy')['type'] === 'Recreate';
  if (isRecreate) {
    for (const set of old) setReplicas(set, 0, client);
    const isLeft = old.some((set) => controlledBy(set, client, pods).length > 0);
    if (isLeft) return;
  }
  const others = old.reduce((sum, set) => sum + replicasOf(set), 0);
  const share = isRecreate ? desired : Math.max(0, Math.min(desired, desired + surge - others));
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': String(desired),
    'deployment.kubernetes.io/max-replicas': String(desired + surge),
  };
  if (current === undefined) {
    const wanted = { ...annotations, [revision]: String(latest(old) + 1) };
    found(deployment, setOf(deployment, { replicas: share, annotations: wanted }), client);
    return;
  }
  adopt(
    current,
    { replicas: Math.max(share, Math.min(replicasOf(current), desired)), annotations, newest: latest(old) + 1 },
    client,
  );
  shrink(old, { keep: desired - unavailable, ready: readyOf(current) }, client);
  forget(old, Number(partOf(deployment, 'spec')['revisionHistoryLimit'] ?? 10), client);
}

/** A set whose name is taken by an object of another owner gets another name the next time. */
function found(deployment: KubeObject, set: KubeObject, client: Client): void {
  if (client.get(refOf(set)) === undefined) {
    client.create(set);
    return;
  }
  const { collisionCount = 0, ...status } = partOf(deployment, 'status');
  client.updateStatus(withPart(deployment, 'status', { ...status, collisionCount: Number(collisionCount) + 1 }));
}

/** Gives the current set its share; if it was used before, it becomes the newest revision again. */
function adopt(
  set: KubeObject,
  { replicas, annotations, newest }: { replicas: number; annotations: JsonObject; newest: number },
  client: Client,
): void {
  const mine = Number(set.metadata.annotations?.[revision] ?? 0);
  const wanted = { ...set.metadata.annotations, ...annotations, [revision]: String(Math.max(mine, newest)) };
  const isSame =
    replicasOf(set) === replicas && isEqual(wanted as JsonObject, (set.metadata.annotations ?? {}) as JsonObject);
  if (isSame) return;
  const spec = { ...partOf(set, 'spec'), replicas };
  client.update(
    withPart({ ...set, metadata: { ...set.metadata, annotations: wanted as Record<string, string> } }, 'spec', spec),
  );
}

/** Scales old sets down by the Pods that the new set has ready, the oldest set first. */
function shrink(old: readonly KubeObject[], { keep, ready }: { keep: number; ready: number }, client: Client): void {
  let removable = Math.max(0, old.reduce((sum, set) => sum + readyOf(set), 0) + ready - keep);
  for (const set of [...old].sort((one, other) => revisionOf(one) - revisionOf(other))) {
    const unready = replicasOf(set) - readyOf(set);
    const fewer = Math.min(replicasOf(set), unready + Math.min(readyOf(set), removable));
    removable -= Math.max(0, fewer - unready);
    setReplicas(set, replicasOf(set) - fewer, client);
  }
}

function forget(old: readonly KubeObject[], limit: number, client: Client): void {
  const empty = old.filter((set) => replicasOf(set) === 0 && partOf(set, 'status')['replicas'] === 0);
  const byAge = [...empty].sort((one, other) => revisionOf(one) - revisionOf(other));
  for (const set of byAge.slice(0, Math.max(0, byAge.length - limit)))
    client.delete(refOf(set), { propagation: 'Background' });
}

/** Writes its revision and its status in one write, which does not increase the generation. */
function tell(deployment: KubeObject, { client, now }: Parts): void {
  const sets = controlledBy(deployment, client, replicaSets);
  const current = sets.find((set) => isEqual(templateOf(set), templateOf(deployment)));
  const status = deploymentStatus(deployment, { sets, ...(current && { current }), now: now() });
  const annotations = deployment.metadata.annotations ?? {};
  const revised = sets.length === 0 ? annotations : { ...annotations, [revision]: String(latest(sets)) };
  if (isEqual(status, partOf(deployment, 'status')) && isEqual(revised, annotations)) return;
  const metadata = { ...deployment.metadata, annotations: revised };
  client.updateStatus(withPart({ ...deployment, metadata }, 'status', status));
}

/** Percentages of the desired number: surge rounded up, unavailable rounded down; both zero would never move. */
function boundsOf(deployment: KubeObject, desired: number): { surge: number; unavailable: number } {
  const { maxSurge = 0, maxUnavailable = 0 } = partOf(deployment, 'spec', 'strategy', 'rollingUpdate');
  const share = (value: unknown, round: (number: number) => number): number =>
    typeof value === 'string' ? round((Number.parseInt(value, 10) * desired) / 100) : Number(value);
  const surge = share(maxSurge, Math.ceil);
  const unavailable = share(maxUnavailable, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function setReplicas(set: KubeObject, replicas: number, client: Client): void {
  if (replicasOf(set) !== replicas) client.update(withPart(set, 'spec', { ...partOf(set, 'spec'), replicas }));
}

function replicasOf(set: KubeObject): number {
  return Number(partOf(set, 'spec')['replicas'] ?? 0);
}

function readyOf(set: KubeObject): number {
  return Number(partOf(set, 'status')['readyReplicas'] ?? 0);
}

function revisionOf(set: KubeObject): number {
  return Number(set.metadata.annotations?.[revision] ?? 0);
}

function latest(sets: readonly KubeObject[]): number {
  return Math.max(0, ...sets.map(revisionOf));
}
