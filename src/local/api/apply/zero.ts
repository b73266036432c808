import { isArray, isObject, type Json, type JsonObject } from '../json.ts';
import type { Schema } from '../schema.ts';

/**
 * A built-in object as the server holds it: a struct is never absent (its schema has the default `{}`), and a required
 * list or map that is missing is null. So nobody owns `spec` by having created an object that has one.
 */
export function withStructs(schema: Schema, object: JsonObject): JsonObject {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  const own = Object.entries(object).map(([name, value]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, inside(known ?? rest, value)] as const;
  });
  const missing = Object.entries(properties).flatMap(([name, property]) => {
    if (Object.hasOwn(object, name)) return [];
    if (property.type === 'object' && isObject(property.default)) return [[name, withStructs(property, {})] as const];
    return required.includes(name) ? [[name, property.default ?? null] as const] : [];
  });
  return Object.fromEntries([...own, ...missing]);
}

/** What is empty and written all the same, such as the times of an Event: an empty object has it too. */
export function emptyFields(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value === null || value === ''));
}

function inside(schema: Schema, value: Json): Json {
  if (isObject(value)) return withStructs(schema, value);
  const { items } = schema;
  if (isArray(value) && items !== undefined) return value.map((item) => inside(items, item));
  return value;
}
