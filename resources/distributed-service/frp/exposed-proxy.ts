import { canonical } from '../../../packages/controller/decide/canonical.ts';
import type { DistributedService, DistributedServiceSpec } from '../types.ts';

/** The proxy of a service at its FRP server: its name there, and a port or host names with paths. */
export interface ExposedProxy {
  readonly name: string;
  readonly type: DistributedServiceSpec['serviceType'];
  readonly remotePort?: number;
  readonly customDomains?: readonly string[];
  readonly subdomain?: string;
  readonly locations?: readonly string[];
}

export interface Exposing {
  readonly namespace: string;
  readonly name: string;
  readonly spec: Pick<DistributedServiceSpec, 'serviceType' | 'expose'>;
}

/**
 * The one proxy of a service. An http service without `expose` names no host, so it has no proxy and is reachable inside the
 * cluster only. A tcp or udp service without a remote port gets one from the server.
 */
export function exposedProxy({ namespace, name, spec }: Exposing): ExposedProxy | undefined {
  const { serviceType, expose = {} } = spec;
  // Neither part may contain a dot, so that no two services share a proxy's name.
  const base = { name: `${namespace}.${name}`, type: serviceType };
  switch (serviceType) {
    case 'tcp':
    case 'udp':
      return { ...base, ...(expose.remotePort !== undefined && { remotePort: expose.remotePort }) };
    case 'http':
      if (expose.subdomain === undefined && !expose.domains?.length) return undefined;
      return {
        ...base,
        ...(expose.domains?.length && { customDomains: asSet(expose.domains) }),
        ...(expose.subdomain !== undefined && { subdomain: expose.subdomain }),
        ...(expose.locations?.length && { locations: asSet(expose.locations) }),
      };
  }
}

/**
 * The digest of the proxy of a service at a server; undefined without a proxy. The controller puts it into the status when it has found that
 * the service holds the proxy, and the gate compares it. A change of other parts of the spec does not change it.
 */
export function exposureDigest(
  { metadata, spec }: Pick<DistributedService, 'metadata' | 'spec'>,
  { server, hash }: { readonly server: string; readonly hash: (text: string) => string },
): string | undefined {
  const { name, namespace = '' } = metadata;
  const proxy = exposedProxy({ name, namespace, spec });
  return proxy === undefined ? undefined : hash(canonical({ server, ...proxy }));
}

/** Sorts a list whose order means nothing to frps, so that another order is not a change. */
function asSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
