import { type Binding, isBinding, rightsBy, textOfRight } from '../../domain/rights.ts';
import { type Found, warning } from '../finding.ts';
import { deleting } from '../mend.ts';
import { nameOf, type Thing, type Wanted } from '../seen.ts';

/**
 * The ClusterRoles of deploy/ and their bindings that are still there where an overlay has others. Not those that an
 * installation in another namespace uses.
 */
export function leftoversOf(seen: readonly Thing[], { namespace, objects, base = [] }: Wanted): readonly Thing[] {
  const isOf = (list: readonly Thing[]) => (one: Thing) =>
    list.some(({ kind, metadata }) => kind === one.kind && metadata.name === one.metadata.name);
  const left = seen
    .filter(({ kind }) => /^ClusterRole/.test(kind))
    .filter(isOf(base))
    .filter((one) => !isOf(objects)(one));
  const bindings = left
    .filter(isBinding)
    .filter(({ subjects }) => subjects?.some((one) => one.namespace === namespace));
  const inUse = seen.filter(isBinding).filter((one) => !bindings.includes(one));
  const roles = left.filter(
    ({ kind, metadata }) =>
      kind === 'ClusterRole' && !inUse.some(({ roleRef }) => roleRef.kind === kind && roleRef.name === metadata.name),
  );
  return [...bindings, ...roles];
}

/** Names each, with the command that takes it away. */
export function judgeLeftovers(leftovers: readonly Thing[], seen: readonly Thing[]): readonly Found[] {
  return leftovers.map((one) => {
    const why = isBinding(one)
      ? lendingOf(one, seen)
      : 'nobody has it any more, and whoever may bind roles can lend it';
    return warning(`${nameOf(one)} is left over from deploy/`, why, deleting(one));
  });
}

function lendingOf(binding: Binding, seen: readonly Thing[]): string {
  const who = (binding.subjects ?? []).map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`).join(', ');
  const rights = [...new Set(rightsBy(binding, seen).map(textOfRight))].join(', ');
  return `by it ${who} may in all namespaces: ${rights === '' ? `what ${binding.roleRef.kind} ${binding.roleRef.name} says` : rights}`;
}
