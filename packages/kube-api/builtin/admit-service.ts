import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, objectAt } from '../json.ts';
import type { Given } from './given.ts';

/** A Service with its addresses and node ports: those it has, or new ones from 10.96.0.0/12 and 30000 to 32767. */
export function admittedService(service: JsonObject, { current, random }: Given): JsonObject {
  const before = objectAt(current, 'spec');
  const spec = withoutOfOtherTypes(objectAt(service, 'spec'), before);
  if (spec['type'] === 'ExternalName') return { ...service, spec };
  const given = addressesOf(spec, before);
  const address = given.clusterIP ?? newAddress(random);
  const any = address === 'None' && spec['selector'] === undefined && current === undefined;
  const families = {
    ipFamilies: before['ipFamilies'] ?? (any ? ['IPv4', 'IPv6'] : [String(address).includes(':') ? 'IPv6' : 'IPv4']),
    ipFamilyPolicy: before['ipFamilyPolicy'] ?? (any ? 'RequireDualStack' : 'SingleStack'),
  };
  const both = any && spec['ipFamilyPolicy'] !== 'SingleStack' && { ipFamilies: bothFamilies(spec['ipFamilies']) };
  const own = { ...families, ...spec, ...both, clusterIP: address, clusterIPs: given.clusterIPs ?? [address] };
  const local = spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
  const health = local && { healthCheckNodePort: before['healthCheckNodePort'] ?? newPort(random) };
  return { ...service, spec: { ...own, ...health, ...portsOf(spec, before, random) } };
}

/** The named one comes first. */
function bothFamilies(named: Json | undefined): Json {
  return isArray(named) && named[0] === 'IPv6' ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6'];
}

/** The addresses that a Service names, or has: if only one of the two fields was changed it also stands for the other. */
export function addressesOf(
  { clusterIP, clusterIPs }: JsonObject,
  before: JsonObject,
): { readonly clusterIP?: Json; readonly clusterIPs?: Json } {
  const { clusterIP: old, clusterIPs: olds } = before;
  if (old === undefined) {
    const all = clusterIPs ?? (clusterIP === undefined ? undefined : [clusterIP]);
    return { ...(clusterIP !== undefined && { clusterIP }), ...(all !== undefined && { clusterIPs: all }) };
  }
  const isChanged = clusterIP !== undefined && clusterIP !== old;
  const others = clusterIPs ?? olds ?? [];
  const all =
    isChanged && isEqual(others, olds ?? []) ? [clusterIP, ...(isArray(others) ? others.slice(1) : [])] : others;
  return { clusterIP: clusterIP ?? old, clusterIPs: all };
}

const ofOutside = ['externalTrafficPolicy', 'allocateLoadBalancerNodePorts', 'healthCheckNodePort'];
const ofInside = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'];

/** Removes the fields of the old type, unless they were changed at the same time. */
function withoutOfOtherTypes(spec: JsonObject, before: JsonObject): JsonObject {
  const { type, ports } = spec;
  if (type === 'NodePort' || type === 'LoadBalancer') return spec;
  const lost = type === 'ExternalName' ? [...ofOutside, ...ofInside] : ofOutside;
  const kept = Object.entries(spec).filter(([key, value]) => !(lost.includes(key) && isEqual(value, before[key])));
  const nodePorts = (isArray(before['ports']) ? before['ports'] : []).map((port) => objectAt(port)['nodePort']);
  const inside = isArray(ports) && {
    ports: ports.map((port) => {
      const { nodePort, ...rest } = objectAt(port);
      return nodePort !== undefined && nodePorts.includes(nodePort) ? rest : port;
    }),
  };
  return { ...Object.fromEntries(kept), ...inside };
}

function newPort(random: () => number): number {
  return 30_000 + Math.floor(random() * 2768);
}

function newAddress(random: () => number): string {
  const number = 1 + Math.floor(random() * (2 ** 20 - 2));
  return `10.${96 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

function portsOf(spec: JsonObject, before: JsonObject, random: () => number): JsonObject {
  const { type, ports } = spec;
  if (!isArray(ports)) return {};
  const outside = type === 'NodePort' || (type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
  if (!outside) return {};
  const old = isArray(before['ports']) ? before['ports'].map((port) => objectAt(port)) : [];
  return {
    ports: ports.map((item) => {
      const port = objectAt(item);
      const same = old.find((other) => other['port'] === port['port'] && other['protocol'] === port['protocol']);
      const nodePort = port['nodePort'] ?? same?.['nodePort'] ?? newPort(random);
      return { ...port, nodePort };
    }),
  };
}
