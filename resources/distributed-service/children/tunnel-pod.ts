import { addressOf, hasEnded, troubleOf } from '../../../packages/controller/decide/pod-state.ts';
import { controllerOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { refuseAddress } from '../discovery/addresses.ts';
import { annotations, labels } from '../names.ts';
import type { TunnelQuestion } from '../tunnel/types.ts';

/** The Pod of a tunnel, as its kubelet reports it. */
export interface TunnelPod {
  readonly address: string | undefined;
  /** Both containers run, and Envoy is up. */
  readonly isServing: boolean;
  /** Envoy says that no backend is healthy; also for a moment after the start, until it was asked. */
  readonly isWithoutBackends: boolean;
  /** frpc says that the FRP server has taken its proxy, or it has none. */
  readonly isPublished: boolean;
  /** What keeps it from running, in Kubernetes' words. */
  readonly trouble: string | undefined;
  /** It is on a node without a machine: its kubelet only says that it runs. */
  readonly isSimulated: boolean;
}

/** The node of clusters for development and tests whose Pods run nothing: of the embedded API, and of kwok in `npm run cluster`. */
const simulatedNode = 'fake-node';

/** Finds the Pods of a tunnel. */
export function tunnelPodSelector({ metadata }: KubeObject): string {
  return `${labels.tunnel}=${metadata.name},${labels.ownerUid}=${metadata.uid ?? ''}`;
}

/** The Pod among those that were found: the oldest that is neither leaving nor ended, and that a ReplicaSet made. */
export function tunnelPodOf(pods: readonly KubeObject[]): TunnelPod | undefined {
  const [pod] = pods.filter(isInUse).toSorted(byAge);
  if (pod === undefined) return undefined;
  const [frpc, envoy] = ['frpc', 'envoy'].map((name) => containerOf(pod, name));
  const isUp = envoy?.ready === true || (envoy?.started === true && envoy.state?.running !== undefined);
  const isServing = isUp && frpc?.state?.running !== undefined;
  return {
    address: addressOf(pod),
    isServing,
    isWithoutBackends: isServing && envoy?.ready !== true,
    isPublished: isServing && frpc?.ready === true,
    trouble: troubleOf(pod),
    isSimulated: nodeOf(pod) === simulatedNode,
  };
}

/** Where Envoy answers, if it does; never an address that leads to the machine itself or to cloud metadata. */
export function addressToAsk(pods: readonly KubeObject[]): string | undefined {
  const pod = tunnelPodOf(pods);
  if (pod?.isServing !== true || pod.address === undefined) return undefined;
  return refuseAddress(pod.address) === undefined ? pod.address : undefined;
}

/** The version of the endpoints that its kubelet was told to look for. */
export function endpointsWanted({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[annotations.endpoints];
}

/** What to ask there before deciding; undefined where nobody could answer. */
export function questionTo(pods: readonly KubeObject[]): TunnelQuestion | undefined {
  const address = addressToAsk(pods);
  return address === undefined ? undefined : { address, asksWhy: tunnelPodOf(pods)?.isPublished === false };
}

function isInUse(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && !hasEnded(pod) && controllerOf(pod)?.kind === 'ReplicaSet';
}

function byAge({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  const [left, right] = [one, other].map(({ creationTimestamp = '', name }) => `${creationTimestamp} ${name}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

function nodeOf(pod: KubeObject & { readonly spec?: { readonly nodeName?: string } }): string | undefined {
  return pod.spec?.nodeName;
}

interface Container {
  readonly name?: string;
  readonly ready?: boolean;
  /** Its startup probe has passed. */
  readonly started?: boolean;
  readonly state?: { readonly running?: object };
}

interface PodLike extends KubeObject {
  readonly status?: { readonly containerStatuses?: readonly Container[] };
}

function containerOf({ status }: PodLike, container: string): Container | undefined {
  return status?.containerStatuses?.find(({ name }) => name === container);
}
