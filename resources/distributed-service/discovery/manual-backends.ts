import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Candidate } from '../claims/candidate.ts';
import type { DistributedServiceSpec } from '../types.ts';
import { parseIp } from './ip-address.ts';
import { serviceBackend } from './service-backends.ts';

type Endpoint = NonNullable<DistributedServiceSpec['backends']['endpoints']>[number];

/** A listed endpoint as a backend: an address as it is, or a Service of the namespace by its cluster address. */
export function backendOfManual(
  endpoint: Endpoint,
  spec: DistributedServiceSpec,
  services: ReadonlyMap<string, KubeObject>,
): Candidate {
  const { host, weight, port = spec.backends.port } = endpoint;
  if (parseIp(host) !== undefined) {
    if (typeof port !== 'number') return `${host} has no port: give the endpoint or spec.backends a number`;
    return { address: host, port, weight, ready: true };
  }
  const service = services.get(host);
  if (service === undefined) return `Service ${host} does not exist in this namespace`;
  const backend = serviceBackend(service, spec, port);
  return typeof backend === 'object' ? { ...backend, weight } : backend;
}
