import { addressOf, hasEnded, isReady } from '../../../packages/controller/decide/pod-state.ts';
import { controllerOf, groupOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { isTunnelPod } from '../children/own-tunnel.ts';
import type { Candidate } from '../claims/candidate.ts';
import type { DistributedServiceSpec } from '../types.ts';

interface PodPorts extends KubeObject {
  readonly spec?: {
    readonly containers?: readonly {
      readonly ports?: readonly {
        readonly name?: string;
        readonly containerPort?: number;
        readonly protocol?: string;
      }[];
    }[];
  };
}

/** A Pod as a backend: its address and the port that the spec numbers or names. */
export function backendOfPod(pod: KubeObject, spec: DistributedServiceSpec): Candidate {
  const address = addressOf(pod);
  if (address === undefined || hasEnded(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined;
  const port = portOf(pod, spec);
  if (port === undefined)
    return `Pod ${pod.metadata.name} has no ${protocolOf(spec)} port named "${String(spec.backends.port)}"`;
  return { address, port, weight: 1, ready: isReady(pod) };
}

/**
 * Whether Knudge made the Pod itself: for a tunnel or for a Message. A wide selector, such as one for all Pods without some label, finds
 * such a Pod too, and then a service would be its own backend.
 */
export function isOwnPod(pod: KubeObject): boolean {
  if (isTunnelPod(pod)) return true;
  const owner = controllerOf(pod);
  return owner?.kind === 'Message' && groupOf(owner.apiVersion) === 'myorg.dev';
}

/** The protocol of a service type in the words of Kubernetes' ports. */
export function protocolOf({ serviceType }: DistributedServiceSpec): 'TCP' | 'UDP' {
  return serviceType === 'udp' ? 'UDP' : 'TCP';
}

function portOf(pod: PodPorts, spec: DistributedServiceSpec): number | undefined {
  const wanted = spec.backends.port;
  if (typeof wanted === 'number') return wanted;
  const ports = (pod.spec?.containers ?? []).flatMap(({ ports: some = [] }) => some);
  return ports.find(({ name, protocol = 'TCP' }) => name === wanted && protocol === protocolOf(spec))?.containerPort;
}
