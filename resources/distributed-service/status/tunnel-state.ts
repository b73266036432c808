import { wordsOf } from '../../../packages/controller/decide/pod-state.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';

interface DeploymentLike extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly replicas?: number;
    readonly conditions?: readonly {
      readonly type?: string;
      readonly status?: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

/** The reason, in Kubernetes' words, why the ReplicaSet cannot make the Pod: a quota, an admission webhook, a Pod Security standard. */
export function replicaFailureOf(tunnel: DeploymentLike | undefined): string | undefined {
  const failure = tunnel?.status?.conditions?.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  return failure && wordsOf(failure);
}

/** Whether any replica of the tunnel takes traffic, also one of an older spec. */
export function hasAvailableReplica(tunnel: DeploymentLike | undefined): boolean {
  return (tunnel?.status?.availableReplicas ?? 0) > 0;
}

/** Whether every replica is of the newest spec and available: the rule of `kubectl rollout status`. */
export function isRolledOut(tunnel: DeploymentLike | undefined): boolean {
  if (tunnel === undefined) return false;
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = tunnel.status ?? {};
  const wanted = tunnel.spec?.replicas ?? 1;
  if (observedGeneration < (tunnel.metadata.generation ?? 0)) return false;
  return updatedReplicas >= wanted && replicas === updatedReplicas && availableReplicas >= wanted;
}
