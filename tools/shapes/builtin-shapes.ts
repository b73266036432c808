import type { Fields } from '../../packages/controller/domain/shape.ts';
import { literal } from '../../packages/generate/types/literal.ts';
import { contentOf, fieldsOf, type Structs } from '../../packages/generate/types/shapes.ts';
import { nameOf as fullNameOf, objectMeta, structOf } from '../../packages/kube-api/builtin/definitions.ts';
import { builtinKinds } from '../../packages/kube-api/builtin/kinds.ts';
import { unwrittenZero } from '../../packages/kube-api/builtin/normal.ts';
import { apiVersionOf } from '../../packages/kube-api/schema/kind.ts';
import type { Schema } from '../../packages/kube-api/schema/schema.ts';

const structsNamed = new Map<string, Schema>();

/** Structs of Kubernetes stand in the file once, under the ends of their names: `PodSpec`. */
const named: Structs = {
  nameOf: (struct) => {
    const whole = fullNameOf(struct);
    if (whole === undefined) return undefined;
    const name = structOf(struct);
    const other = structsNamed.get(name) ?? struct;
    if (fullNameOf(other) !== whole) throw new Error(`${whole} and ${fullNameOf(other)} have one name in the table`);
    structsNamed.set(name, other);
    return name;
  },
  unstored: unwrittenZero,
};

/** No controller of this sort makes these for its objects. */
const neverChildren: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'Event', 'Node']);

/** The files of the engine with the shapes of the built-in kinds that kube-api serves, by their paths. */
export function builtinShapesFiles(): ReadonlyMap<string, string> {
  const structs = new Map<string, Fields>([[structOf(objectMeta()), fieldsOf(objectMeta(), named, [])]]);
  const kinds = new Map<string, string>();
  for (const kind of builtinKinds().filter((one) => !neverChildren.has(one.kind))) {
    const fields = contentOf(kind.schema, named);
    if (Object.keys(fields).length === 0) continue;
    kinds.set(`${apiVersionOf(kind)}/${kind.kind}`, structOf(kind.schema));
    structs.set(structOf(kind.schema), fields);
  }
  for (const [name, struct] of structsNamed) if (!structs.has(name)) structs.set(name, fieldsOf(struct, named, []));
  return new Map([
    ['packages/controller/decide/builtin-kinds.ts', kindsText(kinds)],
    ['packages/controller/decide/builtin-shapes.ts', structsText(structs)],
    ['packages/controller/decide/builtin-volumes.ts', volumesText(structs)],
  ]);
}

/** Sources of volumes are in a file of their own, but for those that name other kinds. */
const isVolume = (name: string): boolean => /(?<!Claim|Ephemeral)Volume(?:Source|Spec)$/.test(name);

function only(structs: ReadonlyMap<string, Fields>, isIn: (name: string) => boolean): ReadonlyMap<string, Fields> {
  return new Map([...structs].filter(([name]) => isIn(name)));
}

const head = "// Generated from the API's schemas of the built-in kinds by `npm run types`; do not edit.";

function kindsText(kinds: ReadonlyMap<string, string>): string {
  return `${head}
/** The struct of each built-in kind, by \`apiVersion/kind\`. */
export const structOfKind = {
${rowsOf(kinds)}
} as const;
`;
}

function structsText(structs: ReadonlyMap<string, Fields>): string {
  return `${head}
import type { Fields } from '../domain/shape.ts';
import { volumes } from './builtin-volumes.ts';

/** The shapes of the fields of each struct that has any. */
export const structs: Readonly<Record<string, Fields>> = {
  ...volumes,
${rowsOf(only(structs, (name) => !isVolume(name)))}
};
`;
}

function volumesText(structs: ReadonlyMap<string, Fields>): string {
  return `${head}
import type { Fields } from '../domain/shape.ts';

/** The same of volumes alone. */
export const volumes: Readonly<Record<string, Fields>> = {
${rowsOf(only(structs, isVolume))}
};
`;
}

/** One line a row, as long as it fits. */
function rowsOf(map: ReadonlyMap<string, unknown>): string {
  const rows = [...map].sort(([one], [other]) => (one < other ? -1 : 1));
  // The whole is longer than a line, so each row begins one.
  return literal(Object.fromEntries(rows), ' '.repeat(120)).slice(2, -2);
}
