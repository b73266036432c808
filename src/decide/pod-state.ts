import type { KubeObject } from '../domain/kube-object.ts';

interface PodLike extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
  };
}

/** A Pod that takes traffic: Ready, and nobody has deleted it. */
export function isReady(pod: KubeObject): boolean {
  const { metadata, status }: PodLike = pod;
  if (metadata.deletionTimestamp !== undefined) return false;
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}

/** A Pod whose containers have ended for good: it never runs again, whoever waits for it. */
export function hasEnded(pod: KubeObject): boolean {
  const { status }: PodLike = pod;
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** The address of a Pod, once the kubelet has told it. */
export function addressOf(pod: KubeObject): string | undefined {
  const { status }: PodLike = pod;
  return status?.podIP === '' ? undefined : status?.podIP;
}
