import type { Declaration, Imports } from './go-source.ts';

/** Message → number of a field → its name in JSON and its type; packages/kube-api/http/protobuf/decode.ts says how to read them. */
export type Messages = Readonly<Record<string, Readonly<Record<number, string>>>>;

/** The types of a Go package by name. */
type ReadPackage = (path: string) => ReadonlyMap<string, Declaration>;

interface Place {
  readonly path: string;
  readonly imports: Imports;
}

const machinery = 'k8s.io/apimachinery/pkg';
/** Types with a JSON of their own, not that of their fields. */
const special: Readonly<Record<string, string>> = {
  [`${machinery}/apis/meta/v1.Time`]: 'time',
  [`${machinery}/apis/meta/v1.MicroTime`]: 'time',
  [`${machinery}/apis/meta/v1.FieldsV1`]: 'raw',
  [`${machinery}/runtime.RawExtension`]: 'raw',
  [`${machinery}/api/resource.Quantity`]: 'quantity',
  [`${machinery}/util/intstr.IntOrString`]: 'intOrString',
};
const plain: Readonly<Record<string, string>> = {
  '[]byte': 'bytes',
  bool: 'bool',
  int: 'int64',
  int32: 'int32',
  int64: 'int64',
  string: 'string',
};

/**
 * The messages of some structs (package → names) and of everything that they refer to, in the order of their names. Throws
 * if a type is not found or is one that the decoder does not know.
 */
export function messagesOf(roots: Readonly<Record<string, readonly string[]>>, read: ReadPackage): Messages {
  const found = new Map<string, Readonly<Record<number, string>>>();

  const notation = (type: string, place: Place): string => {
    const known = plain[type];
    if (known !== undefined) return known;
    if (type.startsWith('*')) return `*${notation(type.slice(1), place)}`;
    if (type.startsWith('[]')) return `[]${notation(type.slice(2), place)}`;
    const [, value] = /^map\[[\w.]+\](.+)$/.exec(type) ?? [];
    return value === undefined ? named(type, place) : `{}${notation(value, place)}`;
  };
  const named = (type: string, { path: here, imports }: Place): string => {
    const [name = '', alias] = type.split('.').reverse();
    const path = alias === undefined ? here : imports.get(alias);
    if (path === undefined) throw new Error(`${here} imports nothing as ${alias}`);
    return special[`${path}.${name}`] ?? declared(path, name);
  };
  const declared = (path: string, name: string): string => {
    const declaration = read(path).get(name);
    if (declaration === undefined) throw new Error(`${path}.${name} is not a type that the decoder knows`);
    const place = { path, imports: declaration.imports };
    if (declaration.kind === 'name') return notation(declaration.of, place);
    const message = `${shortName(path)}.${name}`;
    if (found.has(message)) return message;
    // Entered before its fields: a struct may refer to itself.
    found.set(message, {});
    const fields = declaration.fields.map(({ number, json, type }) => [number, `${json} ${notation(type, place)}`]);
    found.set(message, Object.fromEntries(fields));
    return message;
  };

  for (const [path, names] of Object.entries(roots)) for (const name of names) declared(path, name);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** core.v1 of k8s.io/api/core/v1. */
function shortName(path: string): string {
  return path.split('/').slice(-2).join('.');
}
