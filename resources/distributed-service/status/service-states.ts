import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../types.ts';

/** How many of these DistributedServices are in each state; one without a status counts as Pending. */
export function serviceStates(services: readonly KubeObject[]): ReadonlyMap<string, number> {
  const states = services.map((service) => (service as DistributedService).status?.state ?? 'Pending');
  return new Map([...new Set(states)].map((state) => [state, states.filter((other) => other === state).length]));
}
