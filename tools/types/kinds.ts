import { parse } from 'yaml';
import type { ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { camelOf } from './names.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** What these lists need of a custom resource of ours. */
interface Resource extends Kind {
  readonly children: (owner: ObjectRef) => ReadonlyMap<string, ObjectRef>;
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
}

/** The TypeScript of every custom resource's plural, from the texts of their definitions. */
export function customKindsOf(crds: readonly string[]): string {
  const rows = crds.map((text) => {
    const { group, scope, names, versions } = (parse(text) as Definition).spec;
    const stored = versions.find(({ storage }) => storage)?.name;
    const key = `'${group}/${stored}/${names.kind}'`;
    return `  ${key}: { plural: '${names.plural}', namespaced: ${String(scope === 'Namespaced')} },`;
  });
  return `// Generated from crds/ by \`npm run types\`; do not edit.
/** How each custom resource of ours is served, by \`apiVersion/kind\` in the version that is stored. */
export const customKinds = {
${rows.join('\n')}
} as const;
`;
}

/** The TypeScript of all parents and the kinds of their children. */
export function parentsOf(resources: readonly Resource[]): string {
  const families = resources.map((resource) => ({ parent: resource, children: childrenOf([resource]) }));
  const rows = childrenOf(resources).map((child) => {
    const parents = families.filter((family) => family.children.some((one) => nameOf(one) === nameOf(child)));
    return `  { ${textOf(child)}, parents: [${parents.map(({ parent }) => camelOf(parent.kind)).join(', ')}] },`;
  });
  const consts = resources.map((one) => `export const ${camelOf(one.kind)} = { ${textOf(one)} } as const;`);
  return `// Generated from resources/managed/resources.ts by \`npm run types\`; do not edit.
/** The kinds that are parents, in the version that is stored. */
${consts.join('\n')}

/** All of them: those of resources/managed/resources.ts, which is not in the bundle of who only lists them. */
export const parentKinds = [${resources.map(({ kind }) => camelOf(kind)).join(', ')}] as const;

/** Each kind of which Knudge makes children, and for which parents. */
export const childKinds = [
${rows.join('\n')}
] as const;
`;
}

/** Each kind of children once. What is made last comes first, for it uses what was made before. */
export function childrenOf(resources: readonly Resource[]): readonly Kind[] {
  const all = resources.flatMap(({ apiVersion, kind, children }) =>
    [...children({ apiVersion, kind, namespace: 'any', name: 'any' }).values()].toReversed(),
  );
  return [...new Map(all.map((child) => [nameOf(child), child])).values()];
}

function nameOf({ apiVersion, kind }: Kind): string {
  return `${apiVersion}/${kind}`;
}

function textOf({ apiVersion, kind }: Kind): string {
  return `apiVersion: '${apiVersion}', kind: '${kind}'`;
}
