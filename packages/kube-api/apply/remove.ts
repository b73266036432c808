import { isArray, isObject, type Json } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { type FieldSet, noFields } from './field-set.ts';
import { fieldElement, itemElement } from './path-element.ts';
import { fieldOf, shapeOf } from './shape.ts';

/** The value without the members of a set; null if nothing is left of a map or list. */
export function remove(schema: Schema | undefined, value: Json, set: FieldSet): Json {
  const shape = shapeOf(schema, value);
  if (isObject(value)) {
    if (shape.kind === 'leaf') return null;
    const entries = Object.entries(value).flatMap(([name, child]) =>
      kept(set, fieldElement(name), [fieldOf(schema, name).schema, child]).map((left) => [name, left] as const),
    );
    return entries.length === 0 ? null : Object.fromEntries(entries);
  }
  if (isArray(value)) {
    if (shape.kind !== 'list') return null;
    const items = value.flatMap((item) => kept(set, itemElement(item, shape), [shape.items, item]));
    return items.length === 0 ? null : items;
  }
  return value;
}

/** No element or one. */
function kept(set: FieldSet, element: string, [schema, value]: readonly [Schema | undefined, Json]): readonly Json[] {
  const { member, children } = set.children.get(element) ?? noFields;
  if (member) return [];
  return [children.size === 0 ? value : remove(schema, value, { ...noFields, children })];
}

/** The set with all fields that the schema names on the way to its members. */
export function withNamedParents(schema: Schema | undefined, set: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, child] of set.children) {
    const field = under(schema, element);
    const node = withNamedParents(field.schema, child);
    children.set(element, { ...node, member: child.member || (field.isNamed && child.children.size > 0) });
  }
  return { ...set, children };
}

function under(schema: Schema | undefined, element: string): { schema: Schema | undefined; isNamed: boolean } {
  if (element.startsWith('f:')) return fieldOf(schema, element.slice(2));
  return { schema: element.startsWith('k:') ? schema?.items : undefined, isNamed: false };
}
