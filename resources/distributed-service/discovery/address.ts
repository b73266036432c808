import type { ServerProfile } from '../frp/server-profile.ts';
import type { DistributedServiceSpec } from '../types.ts';

/** The address at which clients reach the service at the FRP server; absent if spec and profile do not name it. */
export function addressAt(
  { serviceType, expose = {} }: DistributedServiceSpec,
  profile: ServerProfile,
): { readonly address?: string } {
  if (serviceType !== 'http') {
    return expose.remotePort === undefined ? {} : { address: `${profile.address}:${String(expose.remotePort)}` };
  }
  const host = expose.domains?.[0] ?? subdomainHost(expose.subdomain, profile.subDomainHost);
  if (host === undefined) return {};
  const port = profile.vhostHttpPort ?? 80;
  return { address: port === 80 ? host : `${host}:${String(port)}` };
}

function subdomainHost(subdomain: string | undefined, host: string | undefined): string | undefined {
  return subdomain === undefined || host === undefined ? undefined : `${subdomain}.${host}`;
}
