import { belongsTo } from '../../../packages/controller/decide/owned.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed } from '../../../packages/controller/domain/plan.ts';
import { isTunnelPod, leadsToTunnel, type OwnTunnel, ownTunnelOf } from '../children/own-tunnel.ts';
import type { Candidate } from '../claims/candidate.ts';
import type { Backend } from '../envoy/data-plane.ts';
import { inputs } from '../inputs.ts';
import { labels } from '../names.ts';
import type { DistributedService } from '../types.ts';
import { refuseAddress } from './addresses.ts';
import { needsPodList } from './backend-selector.ts';
import { backendOfManual } from './manual-backends.ts';
import { backendOfPod, isOwnPod } from './pod-backends.ts';
import { backendOfService } from './service-backends.ts';
import { backendsOfSlice, hasReadyEndpoint } from './slice-backends.ts';

/** The most backends of one service: the CRD's limit on status.endpoints. */
const most = 256;

export interface Discovery {
  /** Sorted by address and port, one entry each. */
  readonly backends: readonly Backend[];
  /** Candidates that cannot be backends, each with the reason. */
  readonly problems: readonly string[];
  /** Kubernetes has not looked for endpoints yet, so an empty list of backends says nothing. */
  readonly isPending: boolean;
}

/** Finds the backends of a service in the observed objects. The tunnel of the service and the API server are refused. */
export function discover(observed: Observed<DistributedService>, apiServer?: string): Discovery {
  const own = ownTunnelOf(observed);
  const found = candidates(observed, own);
  const problems = found.filter((candidate) => typeof candidate === 'string');
  const byAddress = new Map<string, Backend>();
  for (const backend of found) {
    if (backend === undefined || typeof backend === 'string') continue;
    const refused = refuseAddress(backend.address, apiServer);
    if (own.isAt(backend.address)) problems.push(`${backend.address} ${ownReason}`);
    else if (refused !== undefined) problems.push(`${backend.address}: ${refused}`);
    else byAddress.set(`${backend.address} ${String(backend.port)}`, backend);
  }
  // If there are too many backends, ready ones are kept first.
  const used = [...byAddress].sort(readyFirst).slice(0, most);
  if (byAddress.size > most) problems.push(`Only ${String(most)} of ${String(byAddress.size)} backends are used`);
  const backends = used.sort(byPlace).map(([, backend]) => backend);
  return { backends, problems: problems.sort(), isPending: isPending(observed) };
}

/** Kubernetes makes an EndpointSlice for each Service with a selector, an empty one if no Pod fits. A Service without one gets it soon. */
function isPending(observed: Observed<DistributedService>): boolean {
  const { discovery, selector = {} } = observed.owner.spec.backends;
  const isBySlices = discovery === 'selector' && !needsPodList(selector) && !isForeignSelector(observed);
  return isBySlices && (observed.inputs.get(inputs.slices) ?? []).length === 0;
}

/** Whether the Service with the name of ours belongs to somebody else. Then its slices have the endpoints of somebody else. */
function isForeignSelector({ owner, children }: Observed<DistributedService>): boolean {
  const service = children.get('backends');
  return service !== undefined && belongsTo(service, owner) === 'foreign';
}

const ownReason = 'is the tunnel of this service itself: choose backends that it is not among';

type Placed = readonly [place: string, backend: Backend];

function readyFirst(one: Placed, other: Placed): number {
  return Number(other[1].ready) - Number(one[1].ready) || byPlace(one, other);
}

function byPlace([one]: Placed, [other]: Placed): number {
  return one < other ? -1 : 1;
}

function candidates(observed: Observed<DistributedService>, own: OwnTunnel): readonly Candidate[] {
  const { owner, inputs: found } = observed;
  const { spec } = owner;
  const of = (name: string): readonly KubeObject[] => found.get(name) ?? [];
  switch (spec.backends.discovery) {
    case 'manual': {
      const services = new Map(of(inputs.hosts).map((service) => [service.metadata.name, service]));
      return (spec.backends.endpoints ?? []).flatMap((endpoint) => {
        const service = services.get(endpoint.host);
        if (service !== undefined && leadsToTunnel(service, own)) return [toTunnel(service)];
        const backend = backendOfManual(endpoint, spec, services);
        return service === undefined ? [backend] : answered(service, backend, { slices: of(inputs.slices) });
      });
    }
    case 'auto':
      return [
        ...of(inputs.pods)
          .filter((pod) => !isTunnelPod(pod))
          .map((pod) => backendOfPod(pod, spec)),
        ...of(inputs.services).flatMap((service) =>
          leadsToTunnel(service, own)
            ? [toTunnel(service)]
            : answered(service, backendOfService(service, spec), {
                slices: of(inputs.slices),
                note: noteOf(service, owner),
              }),
        ),
      ];
    case 'selector':
      if (!needsPodList(spec.backends.selector ?? {}))
        return isForeignSelector(observed) ? [] : of(inputs.slices).flatMap(backendsOfSlice);
      return of(inputs.pods)
        .filter((pod) => !isOwnPod(pod))
        .map((pod) => backendOfPod(pod, spec));
  }
}

/** A Service as a backend. Without a ready endpoint it is a backend that is not ready, and the status names the reason. */
function answered(
  { metadata: { name } }: KubeObject,
  backend: Candidate,
  { slices, note = '' }: { readonly slices: readonly KubeObject[]; readonly note?: string },
): readonly Candidate[] {
  if (typeof backend !== 'object' || hasReadyEndpoint(name, slices)) return [backend];
  return [{ ...backend, ready: false }, `Service ${name} has no endpoint that is ready${note}`];
}

/** What people have to know who make the EndpointSlices of a Service without a selector: no event comes of one without our label. */
function noteOf({ spec }: Selecting, { metadata: { name } }: DistributedService): string {
  if (Object.keys(spec?.selector ?? {}).length > 0) return '';
  return `: an EndpointSlice made by hand is seen at once only with the label ${labels.service}: ${name}, and else at the next resync`;
}

interface Selecting extends KubeObject {
  readonly spec?: { readonly selector?: Readonly<Record<string, string>> };
}

function toTunnel({ metadata }: KubeObject): Candidate {
  return `Service ${metadata.name} leads to a tunnel: name the backends themselves`;
}
