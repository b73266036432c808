import type { ServerProfile } from '../frp/server-profile.ts';
import type { DistributedServiceSpec } from '../types.ts';
import type { ClaimSpec } from './types.ts';

/** A host or a port that a service wants at its FRP server. One namespace alone can have it. */
export interface Want extends Pick<ClaimSpec, 'kind' | 'value'> {
  /** The paths of the host that the service wants. One service alone can have each. */
  readonly locations: readonly string[];
}

/** The hosts and ports that a service wants. If the profile names the domain of subdomains, a subdomain becomes a host. */
export function wantsOf(
  { serviceType, expose = {} }: DistributedServiceSpec,
  { subDomainHost }: Pick<ServerProfile, 'subDomainHost'>,
): readonly Want[] {
  if (serviceType !== 'http') {
    const kind = serviceType === 'tcp' ? 'TCPPort' : 'UDPPort';
    return expose.remotePort === undefined ? [] : [{ kind, value: String(expose.remotePort), locations: [''] }];
  }
  // frps sends a request to the longest path that fits, so services share a host as long as no path is the same.
  const locations = expose.locations?.length ? pathsOf(expose.locations) : [''];
  const hosts = (expose.domains ?? []).map((domain) => domain.toLowerCase());
  const { subdomain } = expose;
  if (subdomain !== undefined && subDomainHost !== undefined)
    hosts.push(`${subdomain.toLowerCase()}.${subDomainHost.toLowerCase()}`);
  const wants = [...new Set(hosts)].map((value): Want => ({ kind: 'Host', value, locations }));
  if (subdomain === undefined || subDomainHost !== undefined) return wants;
  return [...wants, { kind: 'Subdomain', value: subdomain.toLowerCase(), locations }];
}

/**
 * Paths of a host, sorted. Every path begins with `/`, so that stands for the whole host as `''` does, which is what is claimed for both.
 * A Claim that a version before this one has written may have it.
 */
export function pathsOf(locations: readonly string[]): readonly string[] {
  return [...new Set(locations.map((path) => (path === '/' ? '' : path)))].sort();
}

/** The words for a status or an answer. */
export function tellWant({ kind, value }: Pick<Want, 'kind' | 'value'>): string {
  switch (kind) {
    case 'Host':
      return `domain ${value}`;
    case 'Subdomain':
      return `subdomain ${value}`;
    case 'TCPPort':
      return `tcp port ${value}`;
    case 'UDPPort':
      return `udp port ${value}`;
  }
}

/** A host and the domains above it. A wildcard for one of these covers the host. */
export function suffixesOf(host: string): readonly string[] {
  const labels = bare(host).split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** Whether one of two hosts is a wildcard, and the other one is its domain or lies below it. */
export function overlap(one: Pick<Want, 'kind' | 'value'>, other: Pick<Want, 'kind' | 'value'>): boolean {
  if (one.kind !== 'Host' || other.kind !== 'Host' || one.value === other.value) return false;
  return covers(one.value, other.value) || covers(other.value, one.value);
}

export function isWildcard({ kind, value }: Pick<Want, 'kind' | 'value'>): boolean {
  return kind === 'Host' && value.startsWith('*.');
}

/** The domain of a wildcard: the host without its leading `*.`. */
export function bare(host: string): string {
  return host.replace(/^\*\./, '');
}

function covers(wildcard: string, host: string): boolean {
  return wildcard.startsWith('*.') && suffixesOf(host).includes(bare(wildcard));
}
