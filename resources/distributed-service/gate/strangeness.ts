import { canonical } from '../../../packages/controller/decide/canonical.ts';
import { type ExposedProxy, type Exposing, exposedProxy } from '../frp/exposed-proxy.ts';

/** The fields of a NewProxy message of frp that must be those of the service. */
const taken: Readonly<Record<string, keyof ExposedProxy>> = {
  proxy_name: 'name',
  proxy_type: 'type',
  remote_port: 'remotePort',
  custom_domains: 'customDomains',
  subdomain: 'subdomain',
  locations: 'locations',
};

/** Fields that may have any value: they concern only the connection between frpc and frps. */
const harmless: ReadonlySet<string> = new Set([
  'use_encryption',
  'use_compression',
  'bandwidth_limit',
  'bandwidth_limit_mode',
  'metas',
  'annotations',
]);

/**
 * A sentence about a proxy that is not just what the spec of its service says; undefined if it is. A proxy that sets another field of frp
 * (a group of several clients, headers, passwords, a route by user) is refused too: no frpc of Knudge does so.
 */
export function strangenessOf(proxy: ReadonlyMap<string, unknown>, service: Exposing): string | undefined {
  const own = exposedProxy(service);
  const whose = `${service.namespace}/${service.name}`;
  if (own === undefined) return `${whose} exposes nothing`;
  for (const [field, of] of Object.entries(taken)) {
    const [asked, wanted] = [meaningOf(proxy.get(field)), meaningOf(own[of])];
    if (asked !== wanted) return `${field} ${shown(asked)} is not that of ${whose}, which is ${shown(wanted)}`;
  }
  const more = [...proxy].find(([field, value]) => {
    return !Object.hasOwn(taken, field) && !harmless.has(field) && meaningOf(value) !== nothing;
  });
  return more === undefined ? undefined : `${shown(more[0])} is set, and ${whose} has no such thing`;
}

const nothing = '';

/** A text that is the same for values that mean the same: lists are sets, and an empty value is a missing one (Go's omitempty). */
function meaningOf(value: unknown): string {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return nothing;
  if (Array.isArray(value))
    return value.length === 0 ? nothing : `[${[...new Set(value.map(canonical))].sort().join(',')}]`;
  if (typeof value === 'object' && Object.keys(value).length === 0) return nothing;
  return canonical(value);
}

/** A value for a sentence, cut to one line. */
function shown(text: string): string {
  if (text === nothing) return '(none)';
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
