import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Candidate } from '../claims/candidate.ts';
import type { DistributedServiceSpec } from '../types.ts';
import { refuseAddress } from './addresses.ts';
import { protocolOf } from './pod-backends.ts';

interface ServiceLike extends KubeObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly ports?: readonly {
      readonly name?: string;
      readonly port?: number;
      readonly targetPort?: number | string;
      readonly protocol?: string;
    }[];
  };
}

/** A Service as a backend: its cluster address and the port that the spec numbers or names. */
export function backendOfService(service: KubeObject, spec: DistributedServiceSpec): Candidate {
  return serviceBackend(service, spec, spec.backends.port);
}

/** A Service as a backend with a wanted port: its number, its name or its target port. */
export function serviceBackend(
  service: ServiceLike,
  spec: DistributedServiceSpec,
  wanted: number | string | undefined,
): Candidate {
  const name = `Service ${service.metadata.name}`;
  if (service.metadata.deletionTimestamp !== undefined) return undefined;
  const refused = refuseAddress(service.metadata.name);
  if (refused !== undefined) return `${name}: ${refused}`;
  if (service.spec?.type === 'ExternalName')
    return `${name} is an ExternalName: its address is not the cluster's to choose`;
  const address = service.spec?.clusterIP ?? '';
  if (address === '' || address === 'None') return `${name} has no cluster address: label its Pods instead`;
  const ports = (service.spec?.ports ?? []).filter(({ protocol = 'TCP' }) => protocol === protocolOf(spec));
  const port =
    ports.find((one) => one.name === wanted || one.port === wanted) ?? ports.find((one) => one.targetPort === wanted);
  if (port?.port === undefined) return `${name} has no ${protocolOf(spec)} port ${String(wanted)}`;
  return { address, port: port.port, weight: 1, ready: true };
}
