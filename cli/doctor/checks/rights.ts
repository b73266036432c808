import { type Found, ok, problem, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import {
  type Account,
  type Binding,
  bindingsOf,
  type Right,
  rightsBy,
  rightsOf,
  textOfRight,
} from '../../../packages/controller/domain/rights.ts';
import { applying, deleting } from '../mend.ts';
import { at, nameOf, type Seen, sameAs, type Wanted, wantedOf, whereOf } from '../seen.ts';
import { without } from './covers.ts';
import { formerIn } from './former.ts';
import { lacksOf } from './lacks.ts';
import { judgeLeftovers, leftoversOf } from './leftovers.ts';

/**
 * Checks that each account of functions has the rights of deploy/, no fewer and no more, and that no other account has more. It
 * reads roles of both sorts and their bindings. What a source may not read the authorizer reports, if it can be asked: judgeReaders.
 */
export function judgeRights(all: Seen, wanted: Wanted): readonly Found[] {
  const { roles, allowed } = all;
  if ('why' in roles) return [unchecked(`the rights of the functions (${roles.why})`)];
  const former = formerIn(all, wanted);
  const { names, accounts } = 'why' in former ? { names: [], accounts: [] } : former.value;
  const leftovers = leftoversOf([...roles.value, ...accounts], wanted, names);
  return [
    ...accountsOf(wanted).flatMap(({ name, functions }) => {
      const who = { namespace: wanted.namespace, name };
      const asked = { who, functions, granted: wanted.objects, seen: roles.value, leftovers };
      return judgeAccount(asked, functions.length > 0 || 'why' in allowed);
    }),
    ...judgeLeftovers(leftovers, roles.value),
    ...('why' in former ? [unchecked(`what an older version has left (${former.why})`)] : []),
  ];
}

/** The accounts that functions run as, each with its functions, and then the other accounts of the manifests. */
function accountsOf(wanted: Wanted): readonly { readonly name: string; readonly functions: readonly string[] }[] {
  const runs = wantedOf(wanted, 'serving.knative.dev', 'Service').flatMap(({ metadata, spec }) => {
    const account = at(spec, 'template', 'spec', 'serviceAccountName');
    return typeof account === 'string' ? [{ account, name: metadata.name }] : [];
  });
  const shared = Map.groupBy(runs, ({ account }) => account);
  const others = wanted.objects.filter(({ kind, metadata }) => kind === 'ServiceAccount' && !shared.has(metadata.name));
  return [
    ...[...shared].map(([name, each]) => ({ name, functions: each.map((one) => one.name) })),
    ...others.map(({ metadata }) => ({ name: metadata.name, functions: [] })),
  ];
}

interface Asked {
  readonly who: Account;
  /** The functions that run as it; for a source empty. */
  readonly functions: readonly string[];
  /** The roles and bindings of the manifests. */
  readonly granted: readonly Thing[];
  readonly seen: readonly Thing[];
  readonly leftovers: readonly Thing[];
}

function judgeAccount(asked: Asked, isForMissing: boolean): readonly Found[] {
  const found = [...(isForMissing ? missing(asked) : []), ...extra(asked)];
  if (found.length > 0) return found;
  const name = nameFor(asked);
  if (asked.functions.length === 0) return [ok(`${name} has no more rights than deploy/ grants`)];
  return [ok(`${name} has the rights that deploy/ grants, and no more`)];
}

function nameFor({ who }: Asked): string {
  return `ServiceAccount ${who.namespace}/${who.name}`;
}

/** The rights that a binding of the manifests gives and the account lacks, with the cause. */
function missing(asked: Asked): readonly Found[] {
  const { who, functions, granted, seen } = asked;
  const work = functions.length === 0 ? 'its work' : `the work of ${functions.join(', ')}`;
  return lacksOf(who, granted, seen).map(({ binding, rights, cause, todo }) => {
    const what = `${nameFor(asked)} may not in ${whereOf(binding)}: ${textOf(rights)}, since ${cause}`;
    return problem(what, `${work} fails without them, and its events become dead letters`, todo);
  });
}

/** The rights that a binding of the cluster gives beyond the manifests. judgeLeftovers reports those that are left over. */
function extra(asked: Asked): readonly Found[] {
  const { who, granted, seen, leftovers } = asked;
  const wanted = rightsOf(who, granted);
  return bindingsOf(who, seen).flatMap((binding) => {
    const rights = without(rightsBy(binding, seen), wanted);
    if (rights.length === 0 || leftovers.includes(binding)) return [];
    const where = whereOf(binding);
    const what = `${nameFor(asked)} may more than deploy/ grants in ${where}: ${textOf(rights)}, by ${nameOf(binding)}`;
    const why = 'anyone who takes it over can do that too';
    return [warning(what, why, narrowing(binding, granted))];
  });
}

/** The command for a role of ours; of any other role Knudge does not know who needs it. */
function narrowing(binding: Binding, granted: readonly Thing[]): string {
  const isOurs = granted.some((one) => one.kind === binding.kind && sameAs(binding)(one));
  const { kind, name } = binding.roleRef;
  const role = isOurs ? granted.find((one) => one.kind === kind && one.metadata.name === name) : undefined;
  return role === undefined ? `if it is not needed: ${deleting(binding)}` : applying(role);
}

/** The rights as part of a sentence. */
function textOf(rights: readonly Right[]): string {
  return [...new Set(rights.map(textOfRight))].join(', ');
}
