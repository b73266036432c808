import { controllerOf, type KubeObject } from '../../domain/kube-object.ts';
import { labels } from '../../domain/names.ts';
import { addressOf, hasEnded } from '../pod-state.ts';
import { refuseAddress } from './addresses.ts';

/** The Pod of a tunnel, as its kubelet tells of it. */
export interface TunnelPod {
  readonly address: string | undefined;
  /** Both containers run, and Envoy is ready. */
  readonly isServing: boolean;
  /** Envoy says that no backend is healthy; also for a moment after the start, until it was asked. */
  readonly isWithoutBackends: boolean;
}

/** Finds the Pods of a tunnel. */
export function tunnelPodSelector({ metadata }: KubeObject): string {
  return `${labels.tunnel}=${metadata.name},${labels.ownerUid}=${metadata.uid ?? ''}`;
}

/** The Pod among those that were found: the oldest that is neither leaving nor ended, and that a ReplicaSet made. */
export function tunnelPodOf(pods: readonly KubeObject[]): TunnelPod | undefined {
  const [pod] = pods.filter(isInUse).toSorted(byAge);
  if (pod === undefined) return undefined;
  const [frpc, envoy] = ['frpc', 'envoy'].map((name) => containerOf(pod, name));
  const isServing = envoy?.ready === true && frpc?.state?.running !== undefined;
  return { address: addressOf(pod), isServing, isWithoutBackends: isServing && frpc?.ready !== true };
}

/** Where Envoy answers, if it does; never an address that leads to the machine itself or to cloud metadata. */
export function addressToAsk(pods: readonly KubeObject[]): string | undefined {
  const pod = tunnelPodOf(pods);
  if (pod?.isServing !== true || pod.address === undefined) return undefined;
  return refuseAddress(pod.address) === undefined ? pod.address : undefined;
}

function isInUse(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && !hasEnded(pod) && controllerOf(pod)?.kind === 'ReplicaSet';
}

function byAge({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  const [left, right] = [one, other].map(({ creationTimestamp = '', name }) => `${creationTimestamp} ${name}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

interface Container {
  readonly name?: string;
  readonly ready?: boolean;
  readonly state?: { readonly running?: object };
}

interface PodLike extends KubeObject {
  readonly status?: { readonly containerStatuses?: readonly Container[] };
}

function containerOf({ status }: PodLike, container: string): Container | undefined {
  return status?.containerStatuses?.find(({ name }) => name === container);
}
