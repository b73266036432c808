import {
  type Account,
  type Binding,
  bindingsOf,
  isBinding,
  placeOf,
  type Right,
  rightsBy,
  rightsOf,
  roleOf,
  textOfRight,
} from '../../domain/rights.ts';
import { type Found, ok, problem, unchecked, warning } from '../finding.ts';
import { applyOf, at, nameOf, type Seen, sameAs, type Thing, type Wanted, wantedOf } from '../seen.ts';

/** Has each function the rights of deploy/, no fewer and no more? Read from roles of both sorts and their bindings. */
export function judgeRights({ roles }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in roles) return [unchecked(`the rights of the functions (${roles.why})`)];
  return wantedOf(wanted, 'serving.knative.dev', 'Service').flatMap(({ metadata: { name }, spec }) => {
    const account = at(spec, 'template', 'spec', 'serviceAccountName');
    if (typeof account !== 'string') return [];
    const asked: Asked = {
      name,
      who: { namespace: wanted.namespace, name: account },
      granted: wanted.objects,
      seen: roles.value,
      apply: applyOf(wanted, `deploy/functions/${name}.yaml`),
    };
    const found = [...missing(asked), ...extra(asked)];
    return found.length > 0 ? found : [ok(`${name} has the rights that deploy/ grants, and no more`)];
  });
}

interface Asked {
  /** Of the function. */
  readonly name: string;
  readonly who: Account;
  /** The manifests. */
  readonly granted: readonly Thing[];
  readonly seen: readonly Thing[];
  readonly apply: string;
}

/** What a binding of the manifests lends and the account has not, with what is in the way. */
function missing({ name, who, granted, seen, apply }: Asked): readonly Found[] {
  const has = rightsOf(who, seen);
  return bindingsOf(who, granted).flatMap((binding) => {
    const rights = without(rightsBy(binding, granted), has);
    if (rights === '') return [];
    const { cause, first = '' } = causeOf(binding, who, seen);
    const what = `${name} may not in ${whereOf(binding)}: ${rights}, since ${cause}`;
    return [problem(what, 'its work fails where it needs them, and its events become dead letters', first + apply)];
  });
}

/** What a binding of the cluster lends beyond the manifests. */
function extra({ name, who, granted, seen, apply }: Asked): readonly Found[] {
  const wanted = rightsOf(who, granted);
  return bindingsOf(who, seen).flatMap((binding) => {
    const rights = without(rightsBy(binding, seen), wanted);
    if (rights === '') return [];
    const isOurs = granted.some((one) => one.kind === binding.kind && sameAs(binding)(one));
    const what = `${name} may more than deploy/ grants in ${whereOf(binding)}: ${rights}, by ${nameOf(binding)}`;
    const why = 'whoever takes over this function can do that too';
    return [warning(what, why, isOurs ? apply : `if nobody wants it: ${deletionOf(binding)}`)];
  });
}

/** Why the cluster does not lend what a binding of the manifests does, and what must be done before it is applied again. */
function causeOf(
  wanted: Binding,
  who: Account,
  seen: readonly Thing[],
): { readonly cause: string; readonly first?: string } {
  const found = seen.filter(isBinding).find((one) => one.kind === wanted.kind && sameAs(wanted)(one));
  if (found === undefined) return { cause: `${nameOf(wanted)} is not there` };
  const { kind, name } = found.roleRef;
  if (kind !== wanted.roleRef.kind || name !== wanted.roleRef.name) {
    // The API server takes no other role for a binding that is there.
    return { cause: `${nameOf(wanted)} lends ${kind} ${name}`, first: `${deletionOf(wanted)}, then ` };
  }
  if (!bindingsOf(who, [found]).includes(found))
    return { cause: `${nameOf(wanted)} does not name ServiceAccount ${who.namespace}/${who.name}` };
  const role = roleOf(found, seen);
  return { cause: role === undefined ? `there is no ${kind} ${name}` : `${nameOf(role)} does not say so` };
}

function deletionOf(binding: Binding): string {
  const namespace = placeOf(binding);
  const option = namespace === undefined ? '' : `--namespace ${namespace} `;
  return `kubectl ${option}delete ${binding.kind.toLowerCase()} ${binding.metadata.name}`;
}

function whereOf(binding: Binding): string {
  const namespace = placeOf(binding);
  return namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
}

/** As a sentence has them; empty where none is left. A wildcard among the others covers what it says. */
function without(rights: readonly Right[], others: readonly Right[]): string {
  const left = rights.filter((right) => !others.some((other) => covers(other, right)));
  return [...new Set(left.map(textOfRight))].join(', ');
}

function covers(other: Right, { verb, group, resource, subresource, name, namespace }: Right): boolean {
  const fits = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;
  const isResource = other.resource === '*' || (other.resource === resource && fits(other.subresource, subresource));
  const isPlace = other.namespace === '' || other.namespace === namespace;
  const isName = other.name === '' || other.name === name;
  return fits(other.verb, verb) && fits(other.group, group) && isResource && isPlace && isName;
}
