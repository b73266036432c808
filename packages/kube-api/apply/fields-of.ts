import { isArray, isObject, type Json, type JsonObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { type FieldSet, isEmpty, noFields } from './field-set.ts';
import { fieldElement, itemElement } from './path-element.ts';
import { fieldOf, type Shape, shapeOf } from './shape.ts';

const leaf: FieldSet = { ...noFields, member: true };

/** All fields that a manager owns by applying this value. */
export function fieldsOf(schema: Schema | undefined, value: Json): FieldSet {
  const shape = shapeOf(schema, value);
  switch (shape.kind) {
    case 'leaf':
      return leaf;
    case 'map':
      return isObject(value) ? ofMap(schema, value) : noFields;
    case 'list':
      return isArray(value) ? ofList(shape, value) : noFields;
  }
}

function ofMap(schema: Schema | undefined, value: JsonObject): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [name, child] of Object.entries(value)) {
    const field = fieldOf(schema, name);
    const set = fieldsOf(field.schema, child);
    const isOwned =
      set.member || !field.isNamed || child === null || (isObject(child) && Object.keys(child).length === 0);
    const node = { ...set, member: isOwned };
    if (!isEmpty(node)) children.set(fieldElement(name), node);
  }
  return { ...noFields, children };
}

/** An item that occurs twice is owned as a whole. */
function ofList(shape: Extract<Shape, { kind: 'list' }>, list: readonly Json[]): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const item of list) {
    const element = itemElement(item, shape);
    children.set(element, children.has(element) ? leaf : { ...fieldsOf(shape.items, item), member: true });
  }
  return { ...noFields, children };
}
