import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed } from '../../../packages/controller/domain/plan.ts';
import { parseIp } from '../discovery/ip-address.ts';
import { inputs } from '../inputs.ts';
import { labels } from '../names.ts';
import type { DistributedService } from '../types.ts';

/** The tunnel of a service itself. As a backend it would send each request round in a circle until nothing is left to serve it. */
export interface OwnTunnel {
  readonly pods: readonly KubeObject[];
  /** Whether an address is that of a Pod of the tunnel, or of the balanced Service that leads to it. */
  readonly isAt: (address: string) => boolean;
}

interface Addressed extends KubeObject {
  readonly spec?: { readonly clusterIP?: string; readonly clusterIPs?: readonly string[] };
  readonly status?: { readonly podIP?: string; readonly podIPs?: readonly { readonly ip?: string }[] };
}

/** Discovery may find the tunnel by a wide selector, by a label that somebody has set, or by an address in the spec. */
export function ownTunnelOf({ children, inputs: found }: Observed<DistributedService>): OwnTunnel {
  const pods = found.get(inputs.tunnelPods) ?? [];
  const balanced = children.get('balanced');
  const all: readonly Addressed[] = [...pods, ...(balanced === undefined ? [] : [balanced])];
  const addresses = new Set(all.flatMap(addressesOf));
  return { pods, isAt: (address) => addresses.has(canonical(address)) };
}

/** One text for an address: IPv6 has several. */
function canonical(address: string): string {
  return parseIp(address)?.join('.') ?? address;
}

function addressesOf({ spec, status }: Addressed): readonly string[] {
  const ofPod = [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)];
  const all = [spec?.clusterIP, ...(spec?.clusterIPs ?? []), ...ofPod];
  return all.flatMap((address) => (address === undefined ? [] : [canonical(address)]));
}

/** Whether a Pod runs a tunnel, of whichever service. */
export function isTunnelPod({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.tunnel] !== undefined;
}

interface Selecting extends KubeObject {
  readonly spec?: { readonly selector?: Readonly<Record<string, string>> };
}

/** Whether a Service leads to a tunnel: Knudge has made it for one, or it selects the Pod of this one. */
export function leadsToTunnel(service: Selecting, { pods }: OwnTunnel): boolean {
  const own = service.metadata.labels ?? {};
  if (own[labels.tunnel] !== undefined && own[labels.ownerUid] !== undefined) return true;
  const selector = Object.entries(service.spec?.selector ?? {});
  return (
    selector.length > 0 &&
    pods.some(({ metadata }) => selector.every(([key, value]) => metadata.labels?.[key] === value))
  );
}
