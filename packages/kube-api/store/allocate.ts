import { isIP } from 'node:net';
import { addressesOf } from '../builtin/admit-service.ts';
import { addressWords } from '../checks/services.ts';
import { type Cause, invalid } from '../http/problem.ts';
import type { ServerContext } from '../http/request.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { groupResource } from '../schema/kind.ts';
import { duplicate, invalidValue, notSupported } from '../schema/texts.ts';

interface Wish {
  /** The Service as it was given, with the defaults of its fields. */
  readonly given: JsonObject;
  readonly current: JsonObject | undefined;
}

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/**
 * Throws 422 for what the allocators of addresses and node ports refuse in a Service, before any other check
 * (kube-apiserver 1.35 with addresses of IPv4 alone).
 */
export function insistOnAllocation(world: ServerContext, kind: Kind, wish: Wish): void {
  if (groupResource(kind) !== 'services') return;
  const causes = allocationCauses(world, kind, wish);
  if (causes.length > 0) throw invalid(kind, String(objectAt(wish.given, 'metadata')['name'] ?? ''), causes);
}

function allocationCauses({ store }: ServerContext, kind: Kind, { given, current }: Wish): readonly Cause[] {
  const before = objectAt(current, 'spec');
  const spec = objectAt(given, 'spec');
  if (spec['type'] === 'ExternalName') return [];
  const whole = { ...before, ...spec, ...addressesOf(spec, before) };
  const wrong = [familyCauses, stackCauses].map((causes) => causes(whole)).find((causes) => causes.length > 0);
  if (wrong !== undefined) return wrong;
  const others = () =>
    (store.list(groupResource(kind), '') ?? [])
      .filter((other) => objectAt(other, 'metadata')['uid'] !== objectAt(current, 'metadata')['uid'])
      .map((other) => objectAt(other, 'spec'));
  return [...addressCauses(whole, before, others), ...nodePortCauses(whole, before, others)];
}

type Others = () => readonly JsonObject[];

/** Faults of addresses and families, each and together. */
function familyCauses({ clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy }: JsonObject): readonly Cause[] {
  const addresses = listOf(clusterIPs);
  const named = listOf(ipFamilies);
  const field = 'spec.clusterIPs';
  const isUnknown = ipFamilyPolicy !== undefined && !policies.includes(String(ipFamilyPolicy));
  const wrong = [
    ...(clusterIP === undefined && addresses.length > 0
      ? [invalidValue(field, addresses, 'must be empty when `clusterIP` is not specified')]
      : []),
    ...(clusterIP !== undefined && addresses[0] !== clusterIP
      ? [invalidValue(field, addresses, 'first value must match `clusterIP`')]
      : []),
    ...named.flatMap((family, index) => {
      const at = `spec.ipFamilies[${index}]`;
      if (!families.includes(String(family))) return [notSupported(at, family, families)];
      return named.indexOf(family) < index ? [duplicate(at, family)] : [];
    }),
    ...(isUnknown ? [notSupported('spec.ipFamilyPolicy', ipFamilyPolicy ?? '', policies)] : []),
    ...addresses.flatMap((address, index) =>
      isIP(String(address)) > 0 || (index === 0 && address === 'None')
        ? []
        : [invalidValue(`${field}[${index}]`, address, addressWords)],
    ),
    ...(addresses.length > 2 ? [invalidValue(field, addresses, 'may only hold up to 2 values')] : []),
  ];
  if (wrong.length > 0) return wrong;
  const [first, second] = addresses.map(familyOf);
  if (second !== undefined && first === second) {
    return [invalidValue(field, addresses, 'may specify no more than one IP for each IP family')];
  }
  return addresses.flatMap((address, index) => {
    const family = named[index];
    if (family === undefined || address === 'None' || familyOf(address) === family) return [];
    const why = `expected an ${String(family)} value as indicated by \`ipFamilies[${index}]\``;
    return [invalidValue(`${field}[${index}]`, address, why)];
  });
}

/** Checks the families: this API has only one. */
function stackCauses({ ipFamilies, ipFamilyPolicy, selector, clusterIP }: JsonObject): readonly Cause[] {
  // The addresses of a headless Service without a selector are entered by hand, in any family.
  if (clusterIP === 'None' && selector === undefined) return [];
  const named = listOf(ipFamilies);
  const both = "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified";
  const policy = 'spec.ipFamilyPolicy';
  if (named.length > 1 && ipFamilyPolicy === 'SingleStack') return [invalidValue(policy, ipFamilyPolicy, both)];
  if (ipFamilyPolicy === 'RequireDualStack') {
    return [invalidValue(policy, ipFamilyPolicy, 'this cluster is not configured for dual-stack services')];
  }
  const index = named.indexOf('IPv6');
  return index < 0 ? [] : [invalidValue(`spec.ipFamilies[${index}]`, 'IPv6', 'not configured on this cluster')];
}

function addressCauses({ clusterIP, clusterIPs }: JsonObject, before: JsonObject, others: Others): readonly Cause[] {
  if (clusterIP === undefined || clusterIP === 'None' || before['clusterIP'] !== undefined) return [];
  const why = (what: string) => [
    invalidValue('spec.clusterIPs', clusterIPs ?? [], `failed to allocate IP ${String(clusterIP)}: ${what}`),
  ];
  const isInRange = /^10\.(9[6-9]|10\d|11[01])\./.test(String(clusterIP));
  if (!isInRange) return why('the provided network does not match the current range');
  return others().some((other) => other['clusterIP'] === clusterIP) ? why('provided IP is already allocated') : [];
}

function nodePortCauses(spec: JsonObject, before: JsonObject, others: Others): readonly Cause[] {
  if (spec['type'] !== 'NodePort' && spec['type'] !== 'LoadBalancer') return [];
  const own = new Set(nodePortsOf(before));
  const asked = nodePortsOf(spec).map((port) => (own.has(port) ? undefined : port));
  if (asked.every((port) => port === undefined)) return [];
  const taken = new Set(others().flatMap(nodePortsOf));
  return asked.flatMap((port, index) => {
    if (port === undefined) return [];
    const why = 'provided port is not in the valid range. The range of valid ports is 30000-32767';
    const field = `spec.ports[${index}].nodePort`;
    if (Number(port) < 30_000 || Number(port) > 32_767) return [invalidValue(field, port, why)];
    if (taken.has(port)) return [invalidValue(field, port, 'provided port is already allocated')];
    taken.add(port);
    return [];
  });
}

function nodePortsOf({ ports }: JsonObject): readonly (Json | undefined)[] {
  return listOf(ports).map((port) => objectAt(port)['nodePort']);
}

function familyOf(address: Json): string {
  return String(address).includes(':') ? 'IPv6' : 'IPv4';
}

function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}
