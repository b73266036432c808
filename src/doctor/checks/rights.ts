import {
  type Account,
  type Binding,
  bindingsOf,
  placeOf,
  type Right,
  rightsBy,
  rightsOf,
  textOfRight,
} from '../../domain/rights.ts';
import { type Found, ok, problem, unchecked, warning } from '../finding.ts';
import { applying, deleting } from '../mend.ts';
import { at, nameOf, type Seen, sameAs, type Thing, type Wanted, wantedOf } from '../seen.ts';
import { without } from './covers.ts';
import { lacksOf } from './lacks.ts';
import { judgeLeftovers, leftoversOf } from './leftovers.ts';

/**
 * Has each function the rights of deploy/, no fewer and no more, and no other account of it more? Read from roles of both
 * sorts and their bindings. What a source may not read, the authorizer says if it can be asked: judgeReaders.
 */
export function judgeRights({ roles, allowed }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in roles) return [unchecked(`the rights of the functions (${roles.why})`)];
  const leftovers = leftoversOf(roles.value, wanted);
  const both = { granted: wanted.objects, seen: roles.value, leftovers };
  const functions = wantedOf(wanted, 'serving.knative.dev', 'Service').flatMap(({ metadata: { name }, spec }) => {
    const account = at(spec, 'template', 'spec', 'serviceAccountName');
    return typeof account === 'string' ? [{ name, who: { namespace: wanted.namespace, name: account }, ...both }] : [];
  });
  const others = wanted.objects
    .filter(
      ({ kind, metadata }) => kind === 'ServiceAccount' && !functions.some(({ who }) => who.name === metadata.name),
    )
    .map(({ metadata: { name } }) => ({ name, who: { namespace: wanted.namespace, name }, ...both }));
  return [
    ...functions.flatMap((asked) => {
      const found = [...missing(asked), ...extra(asked)];
      return found.length > 0 ? found : [ok(`${asked.name} has the rights that deploy/ grants, and no more`)];
    }),
    ...others.flatMap((asked) => {
      const found = [...('why' in allowed ? missing(asked) : []), ...extra(asked)];
      return found.length > 0 ? found : [ok(`${asked.name} has no more rights than deploy/ grants`)];
    }),
    ...judgeLeftovers(leftovers, roles.value),
  ];
}

interface Asked {
  /** Of the function, else of the account. */
  readonly name: string;
  readonly who: Account;
  /** The manifests. */
  readonly granted: readonly Thing[];
  readonly seen: readonly Thing[];
  readonly leftovers: readonly Thing[];
}

/** What a binding of the manifests lends and the account has not, with what is in the way. */
function missing({ name, who, granted, seen }: Asked): readonly Found[] {
  return lacksOf(who, granted, seen).map(({ binding, rights, cause, todo }) => {
    const what = `${name} may not in ${whereOf(binding)}: ${textOf(rights)}, since ${cause}`;
    return problem(what, 'its work fails where it needs them, and its events become dead letters', todo);
  });
}

/** What a binding of the cluster lends beyond the manifests; of what is left over is told elsewhere. */
function extra({ name, who, granted, seen, leftovers }: Asked): readonly Found[] {
  const wanted = rightsOf(who, granted);
  return bindingsOf(who, seen).flatMap((binding) => {
    const rights = without(rightsBy(binding, seen), wanted);
    if (rights.length === 0 || leftovers.includes(binding)) return [];
    const what = `${name} may more than deploy/ grants in ${whereOf(binding)}: ${textOf(rights)}, by ${nameOf(binding)}`;
    const why = 'whoever takes it over can do that too';
    return [warning(what, why, narrowing(binding, granted))];
  });
}

/** A role of ours as the manifests have it; of another it is not known who wants it. */
function narrowing(binding: Binding, granted: readonly Thing[]): string {
  const isOurs = granted.some((one) => one.kind === binding.kind && sameAs(binding)(one));
  const { kind, name } = binding.roleRef;
  const role = isOurs ? granted.find((one) => one.kind === kind && one.metadata.name === name) : undefined;
  return role === undefined ? `if nobody wants it: ${deleting(binding)}` : applying(role);
}

function whereOf(binding: Binding): string {
  const namespace = placeOf(binding);
  return namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
}

/** As a sentence has them. */
function textOf(rights: readonly Right[]): string {
  return [...new Set(rights.map(textOfRight))].join(', ');
}
