import { groupOf } from '../../controller/domain/kube-object.ts';
import { childrenOf } from '../../controller/functions/child-kinds.ts';
import type { Facts } from './facts.ts';
import { storedAs } from './rows.ts';
import { folded, inLine } from './text.ts';

/** The rules of a policy that is about children, in the order of their groups. */
export function childRules({ childKinds }: Facts, operations: readonly string[]): string {
  const groups = Map.groupBy(childKinds, ({ apiVersion }) => apiVersion);
  return [...groups]
    .sort(([one], [other]) => (groupOf(one) < groupOf(other) ? -1 : 1))
    .map(([apiVersion, kinds]) => {
      const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
      return `- apiGroups: ${inLine([groupOf(apiVersion)])}
  apiVersions: ${inLine([version])}
  operations: ${inLine(operations)}
  resources: ${inLine(kinds.map((kind) => storedAs(kind).plural).sort())}
`;
    })
    .join('');
}

/** CEL: the one who asks is the account of a function, of this version or one before. */
export function isFunction({ accounts, formerAccounts, controller }: Facts): string {
  const all = [...accounts, ...formerAccounts].map((name) => `'${name}'`).join(', ');
  return `request.userInfo.username.startsWith('system:serviceaccount:${controller.name}:')
${folded(`&& request.userInfo.username.split(':')[3] in [${all}]`)}`;
}

/** CEL: an owner is a resource of ours. */
export function isOurs({ parentKinds }: Facts): string {
  const each = parentKinds.map(
    ({ apiVersion, kind }) => `(owner.kind == '${kind}' && owner.apiVersion.startsWith('${groupOf(apiVersion)}/'))`,
  );
  return `(${each.join('\n|| ')})`;
}

/** `a DistributedService or a Message`. */
export function anyParent(kinds: readonly { readonly kind: string }[]): string {
  const all = kinds.map(({ kind }) => `a ${kind}`);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1) ?? ''}`;
}

/** CEL: what is made is called as a child of its kind is. */
export function isNamedAsChild({ controller }: Facts): string {
  const starts = new Map<string, Set<string>>();
  for (const child of controller.resources.flatMap(childrenOf)) {
    const { plural } = storedAs(child);
    starts.set(plural, (starts.get(plural) ?? new Set()).add(startOf(child.name)));
  }
  const tests = Map.groupBy(starts, ([, all]) => [...all].sort().map(nameStartsWith).join('\n|| '));
  // What most kinds are called is what is left.
  const [usual = ['false'], ...others] = [...tests].sort(([, one], [, other]) => other.length - one.length);
  const cases = others.map(([test, kinds]) => `${isOneOf(kinds.map(([plural]) => plural))} ? (${test})\n: `);
  return `request.operation != 'CREATE' || (${cases.join('')}(${usual[0]}))`;
}

function nameStartsWith(start: string): string {
  return `variables.new.metadata.?name.orValue('').startsWith('${start}')`;
}

function isOneOf(plurals: readonly string[]): string {
  return `variables.kind in [${plurals
    .map((one) => `'${one}'`)
    .sort()
    .join(', ')}]`;
}

/** What every child of a role begins with, whatever its parent is called; the parent is called `any` here. */
function startOf(name: string): string {
  const start = name.slice(0, name.indexOf('any'));
  if (start === '')
    throw new Error(`a child is called ${name} for a parent any: begin its name with a word and a hyphen`);
  return start;
}
