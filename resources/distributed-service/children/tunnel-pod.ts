import { addressOf, hasEnded, troubleOf } from '../../../packages/controller/decide/pod-state.ts';
import { controllerOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { refuseAddress } from '../discovery/addresses.ts';
import { annotations, labels } from '../names.ts';
import type { TunnelQuestion } from '../tunnel/types.ts';

/** The Pod of a tunnel, as its kubelet reports it. */
export interface TunnelPod {
  readonly address: string | undefined;
  /** Whether both containers run, and Envoy is up. */
  readonly isServing: boolean;
  /** Whether Envoy is up and not ready: no backend is healthy, or the kubelet has not probed it yet. */
  readonly isWithoutBackends: boolean;
  /** Whether frpc is ready: the FRP server has accepted its proxy, or it has none. */
  readonly isPublished: boolean;
  /** The reason why it does not run, in Kubernetes' words. */
  readonly trouble: string | undefined;
  /** Whether its node is simulated: that one reports Pods as running, and runs nothing. */
  readonly isSimulated: boolean;
}

/** The node of clusters for development and tests, whose Pods run nothing: that of the embedded API, and of kwok in `npm run cluster`. */
const simulatedNode = 'fake-node';

/** The label selector of the Pods of a tunnel. */
export function tunnelPodSelector({ metadata }: KubeObject): string {
  return `${labels.tunnel}=${metadata.name},${labels.ownerUid}=${metadata.uid ?? ''}`;
}

/** The Pod of the tunnel among those that were found: the oldest one that a ReplicaSet made and that is neither leaving nor ended. */
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

/** The address at which Envoy answers, if it is up; never an address of the machine itself or of cloud metadata. */
export function addressToAsk(pods: readonly KubeObject[]): string | undefined {
  const pod = tunnelPodOf(pods);
  if (pod?.isServing !== true || pod.address === undefined) return undefined;
  return refuseAddress(pod.address) === undefined ? pod.address : undefined;
}

/** The version of the endpoints that the Pod's annotation names: its kubelet should mount that one. */
export function endpointsWanted({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[annotations.endpoints];
}

/** The question to the tunnel's Envoy before a decision; undefined if no Envoy could answer. */
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
  /** Whether its startup probe has passed. */
  readonly started?: boolean;
  readonly state?: { readonly running?: object };
}

interface PodLike extends KubeObject {
  readonly status?: { readonly containerStatuses?: readonly Container[] };
}

function containerOf({ status }: PodLike, container: string): Container | undefined {
  return status?.containerStatuses?.find(({ name }) => name === container);
}
