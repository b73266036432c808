import type { KubeObject } from '../domain/kube-object.ts';

interface PodLike extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly reason?: string;
    readonly message?: string;
  };
}

interface Words {
  readonly reason?: string;
  readonly message?: string;
}

interface Condition extends Words {
  readonly type?: string;
  readonly status?: string;
}

interface ContainerStatus {
  readonly name?: string;
  readonly state?: { readonly waiting?: Words; readonly terminated?: Words & { readonly exitCode?: number } };
}

/** How far a Pod is. */
export interface PodState {
  /** It takes traffic: Ready, and nobody has deleted it. */
  readonly isReady: boolean;
  /** What keeps it from running, as `troubleOf` says it. */
  readonly trouble?: string;
}

/** How far a Pod is; one that is not there is not ready, and has no trouble. */
export function podState(pod: KubeObject | undefined): PodState {
  const trouble = pod && troubleOf(pod);
  return { isReady: pod !== undefined && isReady(pod), ...(trouble !== undefined && { trouble }) };
}

/** A Pod that takes traffic: Ready, and nobody has deleted it. */
export function isReady(pod: KubeObject): boolean {
  const { metadata, status }: PodLike = pod;
  if (metadata.deletionTimestamp !== undefined) return false;
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}

/** A Pod whose containers have ended for good: it never runs again. */
export function hasEnded(pod: KubeObject): boolean {
  const { status }: PodLike = pod;
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** The address of a Pod, once the kubelet has reported it. */
export function addressOf(pod: KubeObject): string | undefined {
  const { status }: PodLike = pod;
  return status?.podIP === '' ? undefined : status?.podIP;
}

/**
 * What keeps a Pod from running, in the words of the scheduler or the kubelet: `Unschedulable: 0/3 nodes are available`. Undefined
 * where nothing is wrong, or nobody has said so. That a container is being made, or starts again as it should, is no trouble.
 */
export function troubleOf(pod: KubeObject): string | undefined {
  const { status = {} }: PodLike = pod;
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return wordsOf(scheduled);
  if (hasEnded(pod) && status.reason !== undefined) return wordsOf(status);
  for (const { name = '', state = {} } of status.containerStatuses ?? []) {
    const { waiting, terminated } = state;
    if (waiting?.reason !== undefined && !isOnTheWay.has(waiting.reason)) return `${name}: ${wordsOf(waiting)}`;
    if (terminated !== undefined && terminated.exitCode !== 0)
      return `${name}: ${wordsOf({ reason: 'Error', ...terminated })} (exit code ${String(terminated.exitCode)})`;
  }
  return undefined;
}

const isOnTheWay: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** A text of somebody else is cut to this length. */
const longestWords = 512;

export function wordsOf({ reason = '', message = '' }: Words): string {
  return [reason, message.slice(0, longestWords)].filter((part) => part !== '').join(': ');
}
