import { isObject, type Json, type JsonObject } from '../json.ts';
import { type FieldSet, noFields } from './field-set.ts';
import { canonical, compareElements } from './path-element.ts';

/** `fieldsV1` of an entry; throws a SyntaxError where a key is not understood. */
export function parseFields(fields: Json | undefined): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [key, value] of Object.entries(isObject(fields) ? fields : {})) {
    if (key === '.') continue;
    const element = canonical(key);
    if (element === undefined) continue;
    const child = parseFields(value);
    const isMember = child.children.size === 0 || (isObject(value) && Object.hasOwn(value, '.'));
    children.set(element, { ...child, member: isMember });
  }
  return { ...noFields, children };
}

export function printFields({ children }: FieldSet): JsonObject {
  const sorted = [...children].sort(([one], [other]) => compareElements(one, other));
  return Object.fromEntries(sorted.map(([element, child]) => [element, printNode(child)]));
}

function printNode(node: FieldSet): JsonObject {
  if (node.children.size === 0) return {};
  return { ...(node.member && { '.': {} }), ...printFields(node) };
}
