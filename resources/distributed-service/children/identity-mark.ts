import { hasEnded } from '../../../packages/controller/decide/pod-state.ts';
import { controllerOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed } from '../../../packages/controller/domain/plan.ts';
import { textOf } from '../certificates/key-pair.ts';
import { tokenKey } from '../frp/identity-secret.ts';
import { inputs } from '../inputs.ts';
import { annotations } from '../names.ts';
import type { DistributedService } from '../types.ts';

/** What becomes of the Pod of the tunnel by its identity token. */
export interface IdentityMark {
  /** What the Pod template says of the token that the Pod mounts; undefined if it says nothing. */
  readonly mark: string | undefined;
  /** Whether a Pod is still there that mounts another token. */
  readonly hasOther: boolean;
}

interface Tunnel extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: { readonly metadata?: Pick<KubeObject['metadata'], 'annotations'> };
  };
}

interface Asking {
  readonly identity: KubeObject | undefined;
  readonly hash: (text: string) => string;
  /** The hash of the Deployment as it would be without a mark. */
  readonly hashUnmarked: () => string | undefined;
}

/**
 * A token that is made anew replaces the Pod, and the next Pod begins when the one before is gone: a kubelet keeps an immutable Secret as
 * it is for as long as a Pod of its node mounts it, also if another Secret has its name by then
 * (https://kubernetes.io/docs/concepts/configuration/secret/#secret-immutable; seen on kubelet 1.35). A Pod of a version that did not
 * mark it stays until its token or anything else changes.
 */
export function identityMarkOf(
  { owner, children, inputs: found }: Observed<DistributedService>,
  { identity, hash, hashUnmarked }: Asking,
): IdentityMark {
  const { status } = owner;
  const token = textOf(identity, tokenKey);
  // A look at a service that may be at rest does not read the token.
  const digest = token === undefined ? status?.identityDigest : hash(token);
  const isSame = digest === status?.identityDigest;
  const tunnel = children.get('tunnel') as Tunnel | undefined;
  const isUnmarked = tunnel !== undefined && markIn(tunnel.spec?.template) === undefined;
  // Else somebody took the mark away: the hash is of what Knudge has written.
  const isOlder = isUnmarked && tunnel.metadata.annotations?.[annotations.specHash] === hashUnmarked();
  const mark = isOlder && isSame ? undefined : digest;
  // A Pod without a mark has the token of the status, or waits to go.
  const isUnmarkedOther = !isSame || tunnel?.spec?.replicas === 0;
  const isOther = (of: string | undefined): boolean => of !== mark && (of !== undefined || isUnmarkedOther);
  const pods = (found.get(inputs.tunnelPods) ?? []).filter(mayMount);
  return { mark, hasOther: pods.some((pod) => isOther(markIn(pod))) };
}

function markIn(
  made: { readonly metadata?: Pick<KubeObject['metadata'], 'annotations'> } | undefined,
): string | undefined {
  return made?.metadata?.annotations?.[annotations.identity];
}

/** A kubelet lets go of what a Pod mounts when it has ended; if the Pod is being deleted, just before it is gone. */
function mayMount(pod: KubeObject): boolean {
  const isOver = hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
  return !isOver && controllerOf(pod)?.kind === 'ReplicaSet';
}
