import { isArray, isObject, type Json, type JsonObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { failed, printed, refused } from './printed.ts';

export type Merge = (schema: Schema, before: JsonObject, patch: JsonObject) => JsonObject;

interface Lists {
  readonly before: readonly Json[];
  readonly patch: readonly Json[];
  /** Merges two items with the same merge key. */
  readonly mergeMaps: Merge;
}

/** A list with strategy `merge`: a set of scalars, or objects that are found by their merge key. */
export function mergeLists(schema: Schema, { before, patch, mergeMaps }: Lists): readonly Json[] {
  const all = [...before, ...patch];
  const types = new Set(all.map(typeOf));
  if (types.has('list')) throw refused();
  if (types.size > 1) throw failed(`list element types are not identical: ${printed([before, patch])}`);
  if (!types.has('map')) return reorder([...new Set(all)], { order: patch, server: before, key: undefined });
  const key = schema['x-kubernetes-patch-merge-key'];
  if (key === undefined) throw failed('cannot merge lists without merge key for struct');
  const { items, additions } = direct(before.filter(isObject), patch.filter(isObject), key);
  const merged = [...items];
  for (const addition of additions) {
    const name = keyOf(addition, key);
    const index = merged.findIndex((item) => item[key] === name);
    const found = merged[index];
    if (found === undefined) merged.push(addition);
    else merged[index] = mergeMaps(schema.items ?? {}, found, addition);
  }
  return reorder(merged, { order: additions, server: items, key });
}

/** Carries out `$patch` in the items of a list: `delete` removes the items with that key, `replace` all old ones. */
function direct(before: readonly JsonObject[], patch: readonly JsonObject[], key: string) {
  let items = before;
  const additions: JsonObject[] = [];
  let isReplaced = false;
  for (const item of patch) {
    const what = item['$patch'];
    if (what === undefined) additions.push(item);
    else if (what === 'replace') isReplaced = true;
    else if (what === 'merge') throw failed('merging lists cannot yet be specified in the patch');
    else if (what !== 'delete') throw failed(`unknown patch type: ${printed(what)} in map: ${printed(item)}`);
    else {
      const name = keyOf(item, key);
      items = items.filter((old) => old[key] !== name);
    }
  }
  return isReplaced ? { items: additions, additions: [] } : { items, additions };
}

interface Order {
  /** The order in the patch. */
  readonly order: readonly Json[];
  /** The order in the list before: for items that the patch does not name. */
  readonly server: readonly Json[];
  readonly key: string | undefined;
}

/** Items that the patch names in its order, the others in theirs, woven together as they stood before. */
export function reorder(list: readonly Json[], { order, server, key }: Order): readonly Json[] {
  const nameOf = (item: Json) => (key !== undefined && isObject(item) ? keyOf(item, key) : item);
  const placeIn = (names: readonly Json[]) => (item: Json) => names.indexOf(nameOf(item));
  const inOrder = placeIn(order.map(nameOf));
  const inServer = placeIn(server.map(nameOf));
  const named = list.filter((item) => inOrder(item) >= 0).sort((one, other) => inOrder(one) - inOrder(other));
  const others = list.filter((item) => inOrder(item) < 0).sort((one, other) => inServer(one) - inServer(other));
  const result: Json[] = [];
  for (const item of named) {
    const place = inServer(item);
    while (others[0] !== undefined && inServer(others[0]) < place) result.push(...others.splice(0, 1));
    result.push(item);
  }
  return [...result, ...others];
}

function keyOf(item: JsonObject, key: string): Json {
  const name = Object.hasOwn(item, key) ? item[key] : undefined;
  if (name === undefined) throw failed(`map: ${printed(item)} does not contain declared merge key: ${key}`);
  return name;
}

function typeOf(value: Json): string {
  if (isArray(value)) return 'list';
  return isObject(value) ? 'map' : typeof value;
}
