import { isObject, type Json, type JsonObject } from '../json.ts';
import { type FieldSet, noFields } from './field-set.ts';
import { canonical, compareElements } from './path-element.ts';

/** The same entry is read and written with every update of its object. What a client sent is written in our order. */
const parsed = new WeakMap<JsonObject, FieldSet>();
const printed = new WeakMap<FieldSet, JsonObject>();

/** `fieldsV1` of an entry; throws a SyntaxError where a key is not understood. */
export function parseFields(fields: Json | undefined): FieldSet {
  if (!isObject(fields)) return noFields;
  const known = parsed.get(fields);
  if (known !== undefined) return known;
  const set = parseNode(fields);
  parsed.set(fields, set);
  return set;
}

export function printFields(set: FieldSet): JsonObject {
  const known = printed.get(set);
  if (known !== undefined) return known;
  const fields = printChildren(set);
  parsed.set(fields, set);
  printed.set(set, fields);
  return fields;
}

function parseNode(fields: JsonObject): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [key, value] of Object.entries(fields)) {
    if (key === '.') continue;
    const element = canonical(key);
    if (element === undefined) continue;
    const child = isObject(value) ? parseNode(value) : noFields;
    const isMember = child.children.size === 0 || (isObject(value) && Object.hasOwn(value, '.'));
    children.set(element, { ...child, member: isMember });
  }
  return { ...noFields, children };
}

function printChildren({ children }: FieldSet): JsonObject {
  const own: Record<string, Json> = {};
  for (const element of [...children.keys()].sort(compareElements)) {
    own[element] = printNode(children.get(element) ?? noFields);
  }
  return own;
}

function printNode(node: FieldSet): JsonObject {
  if (node.children.size === 0) return {};
  return { ...(node.member && { '.': {} }), ...printChildren(node) };
}
