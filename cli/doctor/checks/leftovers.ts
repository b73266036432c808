import { type Found, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { type Binding, isBinding, rightsBy, textOfRight } from '../../../packages/controller/domain/rights.ts';
import { deleting } from '../mend.ts';
import { nameOf, type Wanted, whereOf } from '../seen.ts';
import { formerAccounts } from './former.ts';

/**
 * Roles, bindings and accounts that are not used any more: the ClusterRoles of deploy/ and their bindings if an overlay has
 * others, and what an older version left. Those that an installation in another namespace uses are not among them.
 */
export function leftoversOf(seen: readonly Thing[], wanted: Wanted, former: readonly string[]): readonly Thing[] {
  const { namespace, objects, base = [] } = wanted;
  const isOf = (list: readonly Thing[]) => (one: Thing) =>
    list.some(({ kind, metadata }) => kind === one.kind && metadata.name === one.metadata.name);
  const isOfBase = (one: Thing): boolean => /^ClusterRole/.test(one.kind) && isOf(base)(one);
  const isHere = ({ metadata }: Thing): boolean => [undefined, namespace].includes(metadata.namespace);
  const left = seen
    .filter((one) => isOfBase(one) || (isHere(one) && isOfAccounts(former, one)))
    .filter((one) => !isOf(objects)(one));
  const bindings = left
    .filter(isBinding)
    .filter(({ subjects }) => subjects?.some((one) => one.namespace === namespace));
  const inUse = seen.filter(isBinding).filter((one) => !bindings.includes(one));
  const roles = left.filter((one) => /Role$/.test(one.kind) && !inUse.some((binding) => lends(binding, one)));
  return [...bindings, ...roles, ...left.filter(({ kind }) => kind === 'ServiceAccount')];
}

/** Whether it is one of these accounts, its role or its binding, by their names. */
function isOfAccounts(names: readonly string[], { kind, metadata }: Thing): boolean {
  return names.some((name) => metadata.name === (kind === 'ServiceAccount' ? name : `knudge-${name}`));
}

function lends({ roleRef, metadata }: Binding, role: Thing): boolean {
  const isPlace = role.kind === 'ClusterRole' || metadata.namespace === role.metadata.namespace;
  return isPlace && roleRef.kind === role.kind && roleRef.name === role.metadata.name;
}

/** A warning for each, with the command that deletes it. */
export function judgeLeftovers(leftovers: readonly Thing[], seen: readonly Thing[]): readonly Found[] {
  return leftovers.map((one) => {
    const from = isOfAccounts(formerAccounts, one) ? 'an older version' : 'deploy/';
    return warning(`${nameOf(one)} is left over from ${from}`, whyOf(one, seen), deleting(one));
  });
}

function whyOf(one: Thing, seen: readonly Thing[]): string {
  if (isBinding(one)) return lendingOf(one, seen);
  if (one.kind === 'ServiceAccount') return 'the admission policies treat anyone with a token of it as a function';
  return 'no account uses it any more, and anyone who may bind roles can grant it';
}

function lendingOf(binding: Binding, seen: readonly Thing[]): string {
  const who = (binding.subjects ?? []).map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).join(', ');
  const rights = [...new Set(rightsBy(binding, seen).map(textOfRight))].join(', ');
  const what = rights === '' ? `what ${binding.roleRef.kind} ${binding.roleRef.name} says` : rights;
  return `by it ${who} may in ${whereOf(binding)}: ${what}`;
}
