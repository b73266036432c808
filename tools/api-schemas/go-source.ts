/** A type of a Go package: a struct with its protobuf fields, or another name for a type. */
export type Declaration = { readonly imports: Imports } & (
  | { readonly kind: 'struct'; readonly fields: readonly Field[] }
  | { readonly kind: 'name'; readonly of: string }
);

/** The paths of packages by the names that they have in one file. */
export type Imports = ReadonlyMap<string, string>;

interface Field {
  readonly number: number;
  /** Empty if the fields of an embedded struct belong to the object around it. */
  readonly json: string;
  readonly type: string;
}

/**
 * The types that one formatted Go file declares, by name. Types in a group and generic ones are left out, as are fields that
 * are not in protobuf or not in JSON. Throws for a line with a protobuf tag that it cannot parse.
 */
export function declarationsIn(source: string): ReadonlyMap<string, Declaration> {
  const code = source.replaceAll(/^\/\*.*?\*\//gms, '');
  const imports = importsIn(code);
  const found = new Map<string, Declaration>();
  for (const [, name = '', of = ''] of code.matchAll(/^type (\w+) (?:= )?([\w.*[\]]+)(?:\s*\/\/.*)?$/gm)) {
    found.set(name, { kind: 'name', imports, of });
  }
  for (const [, name = '', body = ''] of code.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
    found.set(name, { kind: 'struct', imports, fields: body.split('\n').flatMap(fieldsIn) });
  }
  return found;
}

function importsIn(code: string): Imports {
  const blocks = code.matchAll(/^import (?:\((.*?)^\)|([^\n(]+))/gms);
  const lines = [...blocks].flatMap(([, block, line = '']) => (block ?? line).split('\n'));
  const imports = lines.flatMap((line): [string, string][] => {
    const [, name, path] = /^\s*(?:([\w.]+)\s+)?"([^"]+)"/.exec(line) ?? [];
    return path === undefined ? [] : [[name ?? path.slice(path.lastIndexOf('/') + 1), path]];
  });
  return new Map(imports);
}

function fieldsIn(line: string): readonly Field[] {
  const code = line.trim();
  if (code.startsWith('//')) return [];
  const [, name, type = '', tags = ''] = /^(?:(\w+)\s+)?([\w.*[\]]+)\s+`([^`]*)`/.exec(code) ?? [];
  if (type === '' && code.includes('protobuf:')) throw new Error(`cannot parse this line of Go: ${code}`);
  const [, number] = /\bprotobuf:"\w+,(\d+)/.exec(tags) ?? [];
  const [, json = ''] = /\bjson:"([^",]*)/.exec(tags) ?? [];
  if (number === undefined || json === '-') return [];
  // The names of encoding/json: by the tag, else by the name in Go, which an embedded struct does not have.
  return [{ number: Number(number), json: json || (name ?? ''), type }];
}
