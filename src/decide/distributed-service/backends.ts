import type { Backend } from '../../domain/data-plane.ts';
import type { DistributedService } from '../../domain/distributed-service.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import type { Observed } from '../../domain/plan.ts';
import { refuseAddress } from './addresses.ts';
import type { Candidate } from './candidate.ts';
import { inputs, needsPodList } from './inputs.ts';
import { backendOfManual } from './manual-backends.ts';
import { backendOfPod, isOwnPod } from './pod-backends.ts';
import { backendOfService } from './service-backends.ts';
import { backendsOfSlice } from './slice-backends.ts';

/** The most backends of one service: the CRD's limit on status.endpoints. */
const most = 256;

export interface Discovery {
  /** Sorted by address and port, one entry each. */
  readonly backends: readonly Backend[];
  /** Candidates that cannot be backends, each with the reason. */
  readonly problems: readonly string[];
}

/** The backends of a service as they are now, from what was observed alone; the API server is never one of them. */
export function discover(observed: Observed<DistributedService>, apiServer?: string): Discovery {
  const found = candidates(observed);
  const problems = found.filter((candidate) => typeof candidate === 'string');
  const byAddress = new Map<string, Backend>();
  for (const backend of found) {
    if (backend === undefined || typeof backend === 'string') continue;
    const refused = refuseAddress(backend.address, apiServer);
    if (refused !== undefined) problems.push(`${backend.address}: ${refused}`);
    else byAddress.set(`${backend.address} ${String(backend.port)}`, backend);
  }
  const backends = [...byAddress].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, backend]) => backend);
  if (backends.length > most) problems.push(`Only ${String(most)} of ${String(backends.length)} backends are used`);
  return { backends: backends.slice(0, most), problems: problems.sort() };
}

function candidates({ owner, inputs: found }: Observed<DistributedService>): readonly Candidate[] {
  const { spec } = owner;
  const of = (name: string): readonly KubeObject[] => found.get(name) ?? [];
  switch (spec.backends.discovery) {
    case 'manual': {
      const services = new Map(of(inputs.hosts).map((service) => [service.metadata.name, service]));
      return (spec.backends.endpoints ?? []).map((endpoint) => backendOfManual(endpoint, spec, services));
    }
    case 'auto':
      return [
        ...of(inputs.pods).map((pod) => backendOfPod(pod, spec)),
        ...of(inputs.services).map((service) => backendOfService(service, spec)),
      ];
    case 'selector':
      if (!needsPodList(spec.backends.selector ?? {})) return of(inputs.slices).flatMap(backendsOfSlice);
      return of(inputs.pods)
        .filter((pod) => !isOwnPod(pod))
        .map((pod) => backendOfPod(pod, spec));
  }
}
