import { canonical } from '../../../packages/controller/decide/canonical.ts';
import type { DistributedService, DistributedServiceSpec } from '../types.ts';

/** What a service takes at its FRP server: a name there, and a port or host names with paths. */
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
 * The one proxy of a service. An http service without `expose` has no host name by which the server could know it, so it
 * has none and is reachable inside the cluster only; a tcp or udp service without a remote port gets one from the server.
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
 * By which the gate knows whether the controller has found that a service holds just this proxy at this server. Whatever else the
 * spec says may change meanwhile. Undefined where there is no proxy.
 */
export function exposureDigest(
  { metadata, spec }: Pick<DistributedService, 'metadata' | 'spec'>,
  { server, hash }: { readonly server: string; readonly hash: (text: string) => string },
): string | undefined {
  const { name, namespace = '' } = metadata;
  const proxy = exposedProxy({ name, namespace, spec });
  return proxy === undefined ? undefined : hash(canonical({ server, ...proxy }));
}

/** The order of these lists means nothing to frps, so another order is no change. */
function asSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
