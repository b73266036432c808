import { isArray, isObject, type Json, type JsonObject } from '../json.ts';
import { fieldOf } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * A built-in object as the server holds it: a struct is never absent (its schema has the default `{}`), and a required
 * list or map that is missing is null. So no manager owns `spec` by having created an object that has one. Returns the object
 * itself if nothing is missing, and likewise for its parts.
 */
export function withStructs(schema: Schema, object: JsonObject): JsonObject {
  const changed: Record<string, Json> = {};
  let isSame = true;
  const put = (name: string, value: Json) => {
    changed[name] = value;
    isSame = false;
  };
  for (const [name, value] of Object.entries(object)) {
    if (typeof value !== 'object' || value === null) continue;
    const field = fieldOf(schema, name);
    const whole = field === undefined ? value : inside(field, value);
    if (whole !== value) put(name, whole);
  }
  for (const [name, value] of structsOf(schema)) if (!Object.hasOwn(object, name)) put(name, value);
  return isSame ? object : { ...object, ...changed };
}

/** Fields that are written although they are empty, such as the times of an Event: an empty object has them too. */
export function emptyFields(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value === null || value === ''));
}

const known = new WeakMap<Schema, readonly (readonly [string, Json])[]>();

/** The fields of a struct that are there even if the client did not write them. */
function structsOf(schema: Schema): readonly (readonly [string, Json])[] {
  const found = schema.properties === undefined ? [] : known.get(schema);
  if (found !== undefined) return found;
  const { properties = {}, required = [] } = schema;
  const structs = Object.entries(properties).flatMap(([name, property]) => {
    const { type, default: given } = property;
    if (type === 'object' && isObject(given)) return [[name, withStructs(property, {})] as const];
    return required.includes(name) ? [[name, given ?? null] as const] : [];
  });
  known.set(schema, structs);
  return structs;
}

function inside(schema: Schema, value: Json): Json {
  if (isObject(value)) return withStructs(schema, value);
  const { items } = schema;
  if (!isArray(value) || items === undefined) return value;
  const whole = value.map((item) => inside(items, item));
  return whole.every((item, index) => item === value[index]) ? value : whole;
}
