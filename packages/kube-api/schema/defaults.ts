import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import { fieldOf } from './prune.ts';
import type { Schema } from './schema.ts';

/** A value with the defaults of its schema; a null that is not allowed becomes the default, or goes. */
export function withDefaults(schema: Schema, value: Json): Json {
  if (isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? value
      : value.map((item) => withDefaults(items, isBadNull(items, item) ? (items.default ?? item) : item));
  }
  return isObject(value) ? defaultedObject(schema, value) : value;
}

function defaultedObject(schema: Schema, value: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...value };
  for (const [key, { default: given }] of Object.entries(schema.properties ?? {})) {
    if (given !== undefined && !Object.hasOwn(result, key)) result[key] = given;
  }
  for (const [key, child] of Object.entries(result)) {
    const known = fieldOf(schema, key);
    if (known === undefined) continue;
    if (!isBadNull(known, child)) result[key] = withDefaults(known, child);
    else if (known.default === undefined) delete result[key];
    else result[key] = withDefaults(known, known.default);
  }
  return result;
}

function isBadNull({ nullable }: Schema, value: Json): boolean {
  return value === null && nullable !== true;
}
