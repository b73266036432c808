import { storedVersion } from '../../controller/domain/custom-resource.ts';
import type { Crd, Project } from '../project.ts';
import { importsOf } from './imports.ts';
import { literal } from './literal.ts';
import { camelOf } from './names.ts';
import { shapesIn } from './shapes.ts';

/** How the API server serves a custom resource, in the version that it stores. */
export interface Served {
  readonly apiVersion: string;
  readonly kind: string;
  /** `apiVersion/kind`. */
  readonly key: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** How the custom resources of these definitions are served. */
export function servedKinds(crds: readonly Crd[]): readonly Served[] {
  return crds.map(({ definition }) => {
    const { scope, names } = definition.spec;
    const apiVersion = storedVersion(definition);
    const { kind, plural } = names;
    return { apiVersion, kind, key: `${apiVersion}/${kind}`, plural, namespaced: scope === 'Namespaced' };
  });
}

type Kinds = Pick<Project, 'crds' | 'hasEngine' | 'commands' | 'parentKinds' | 'childKinds'>;

/** The TypeScript of all parents, the kinds of their children, and how the API server serves what the definitions define. */
export function kindsOf({ parentKinds, childKinds, crds, ...folder }: Kinds, path: string): string {
  const shapes = shapesIn(crds, childKinds);
  const served = servedKinds(crds).map(({ key, plural, namespaced }) => {
    const shape = shapes.get(key);
    return `  '${key}': ${literal({ plural, namespaced, ...(shape && { shape }) }, `  '${key}': `, '  ')},`;
  });
  const rows = childKinds.map(
    ({ parents, ...child }) =>
      `  { ${textOf(child)}, parents: [${parents.map(({ kind }) => camelOf(kind)).join(', ')}] },`,
  );
  const consts = parentKinds.map((one) => `export const ${camelOf(one.kind)} = { ${textOf(one)} } as const;`);
  return `// Generated from functions/table.ts and crds/ by \`${folder.commands.types}\`; do not edit.
${importsOf(['addKinds'], path, folder)}
addKinds({
${served.join('\n')}
});

/** The kinds that are parents, in the version that is stored. */
${consts.join('\n')}

/** All of them. A program that only lists them imports them from here, so that no resource is in its bundle. */
export const parentKinds = [${parentKinds.map(({ kind }) => camelOf(kind)).join(', ')}] as const;

/** Each kind of which Knudge makes children, and for which parents. */
export const childKinds = [
${rows.join('\n')}
] as const;
`;
}

function textOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `apiVersion: '${apiVersion}', kind: '${kind}'`;
}
