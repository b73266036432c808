import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { ports, serverName } from './frp-server.ts';

export type ServiceType = 'http' | 'tcp' | 'udp';

/** Anything that a spec may say; the API server judges it. */
type Part = Readonly<Record<string, unknown>>;

export interface Wish {
  readonly name?: string;
  readonly type: ServiceType;
  readonly algorithm?: string;
  readonly backends: Part;
  readonly healthCheck?: Part;
  readonly expose?: Part;
  readonly mtls?: Part;
  readonly profile?: string;
}

/** A DistributedService in `shop` that clients reach at the FRP server: by its name, or at the port of its type. */
export function service(wish: Wish): KubeObject {
  const { name = 'web', type, algorithm = 'round-robin', backends, healthCheck, mtls, profile } = wish;
  const { expose = type === 'http' ? { domains: [hostOf(name)] } : { remotePort: ports[type] } } = wish;
  return {
    apiVersion: 'frp.io/v1beta1',
    kind: 'DistributedService',
    metadata: { namespace: 'shop', name },
    spec: {
      serviceType: type,
      ...(profile !== undefined && { serverProfile: profile }),
      backends,
      loadBalancing: { algorithm, ...(healthCheck && { healthCheck }) },
      ...(mtls && { security: { mtls } }),
      expose,
    },
  } as KubeObject;
}

/** The host name of an http service. */
export function hostOf(name: string): string {
  return `${name}.${serverName}.test`;
}

/** Backends that are listed. */
export function manual(
  list: readonly { readonly address: string; readonly port: number; readonly weight?: number }[],
): Part {
  return {
    discovery: 'manual',
    endpoints: list.map(({ address, port, weight = 1 }) => ({ host: address, port, weight })),
  };
}

/** A Pod as some other node runs it, ready or not; its address is where the test listens. */
export function backendPod(at: {
  readonly name: string;
  readonly address: string;
  readonly ready?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly port?: number;
}): KubeObject {
  const { name, address, ready = true, port = 8080 } = at;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name, labels: at.labels ?? { [labels.service]: 'web' } },
    spec: {
      nodeName: 'elsewhere',
      containers: [{ name: 'main', image: 'main', ports: [{ name: 'main', containerPort: port }] }],
    },
    status: podStatus(address, ready),
  } as KubeObject;
}

export function podStatus(address: string, ready: boolean): Part {
  return {
    phase: 'Running',
    podIP: address,
    podIPs: [{ ip: address }],
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
  };
}
