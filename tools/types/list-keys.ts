import type { ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import type { JsonObject } from '../../packages/kube-api/json.ts';
import { createKinds } from '../../packages/kube-api/schema/kinds.ts';
import type { Schema } from '../../packages/kube-api/schema/schema.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** A list somewhere in a kind. */
interface List {
  readonly where: string;
  readonly field: string;
  /** What tells its items apart; none in a list that belongs to one writer as a whole. */
  readonly keys: readonly string[];
  readonly item: Schema;
}

/** The TypeScript of what tells the items of lists apart, by the names of the lists, for these kinds. `definitions` are those in crds/. */
export function listKeysOf(kinds: readonly Kind[], definitions: readonly JsonObject[]): string {
  const known = createKinds();
  for (const definition of definitions) known.define(definition);
  const lists = kinds.flatMap(({ apiVersion, kind }) => {
    const found = known.ofKind(apiVersion, kind);
    if (found === undefined)
      throw new Error(`${apiVersion} ${kind} has no schema here: add it to tools/api-schemas/definitions-of.ts`);
    // Nobody but their controllers writes the status of children.
    const { status: _, ...properties } = found.schema.properties ?? {};
    return listsIn({ properties }, kind, []);
  });
  const keyed = [...Map.groupBy(lists, ({ field }) => field)]
    .filter(([, same]) => same.some(({ keys }) => keys.length > 0))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = keyed.map(
    ([field, same]) =>
      `  ${field}: [${keysOf(same)
        .map((key) => `'${key}'`)
        .join(', ')}],`,
  );
  return `// Generated from the API's schemas of all children by \`npm run types\`; do not edit.
/** How the API server tells the items of a list apart, by the name of the list (\`x-kubernetes-list-map-keys\`). */
export const listMapKeys = {
${rows.join('\n')}
} as const;
`;
}

/** By one name, several lists can be told apart as long as none takes an ordinary field for a key of another. */
function keysOf(lists: readonly List[]): readonly string[] {
  const all = [...new Set(lists.flatMap(({ keys }) => keys))].sort();
  for (const { where, keys, item } of lists) {
    const others = all.filter((key) => !keys.includes(key) && item.properties?.[key] !== undefined);
    if (keys.length > 0 && others.length === 0) continue;
    const why = keys.length === 0 ? 'has no keys' : `has ${others.join(' and ')}, which is no key there`;
    throw new Error(
      `${where} ${why}, and another list of its name has ${all.join(' and ')}: packages/controller/decide/differs.ts must tell them apart`,
    );
  }
  return all;
}

function listsIn(schema: Schema, where: string, above: readonly Schema[]): readonly List[] {
  if (above.includes(schema)) return [];
  const within = [...above, schema];
  return Object.entries(schema.properties ?? {}).flatMap(([field, of]) => {
    const path = `${where}.${field}`;
    const item = of.items;
    if (item === undefined) return listsIn(of, path, within);
    const list = { where: path, field, keys: of['x-kubernetes-list-map-keys'] ?? [], item };
    return [list, ...listsIn(item, path, within)];
  });
}
