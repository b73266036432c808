import { type Right, rightsOf, textOfRight } from '../../domain/rights.ts';
import { type Found, ok, problem, unchecked, warning } from '../finding.ts';
import { at, type Seen, type Wanted, wantedOf } from '../seen.ts';

/** Has each function the rights of deploy/, no fewer and no more? Read from ClusterRoles and their bindings. */
export function judgeRights({ roles }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in roles) return [unchecked(`the rights of the functions (${roles.why})`)];
  return wantedOf(wanted, 'serving.knative.dev', 'Service').flatMap(({ metadata, spec }) => {
    const account = at(spec, 'template', 'spec', 'serviceAccountName');
    if (typeof account !== 'string') return [];
    const who = { namespace: wanted.namespace, name: account };
    const [granted, has] = [rightsOf(who, wanted.objects), rightsOf(who, roles.value)];
    const [missing, extra] = [without(granted, has), without(has, granted)];
    const apply = `kubectl apply -f deploy/functions/${metadata.name}.yaml`;
    const findings: Found[] = [];
    if (missing.length > 0) {
      const why = 'its work fails where it needs them, and its events become dead letters';
      findings.push(problem(`${metadata.name} may not in all namespaces: ${missing.join(', ')}`, why, apply));
    }
    if (extra.length > 0) {
      const why = 'whoever takes over this function can do that too';
      findings.push(warning(`${metadata.name} may more than deploy/ grants: ${extra.join(', ')}`, why, apply));
    }
    return findings.length > 0 ? findings : [ok(`${metadata.name} has the rights that deploy/ grants, and no more`)];
  });
}

/** A wildcard among the others covers what it says. */
function without(rights: readonly Right[], others: readonly Right[]): readonly string[] {
  return rights.filter((right) => !others.some((other) => covers(other, right))).map(textOfRight);
}

function covers(other: Right, { verb, group, resource, subresource }: Right): boolean {
  const fits = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;
  const isResource = other.resource === '*' || (other.resource === resource && fits(other.subresource, subresource));
  return fits(other.verb, verb) && fits(other.group, group) && isResource;
}
