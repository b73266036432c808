import type { JsonObject } from '../json.ts';

/** The object with the defaults of the fields that it lacks. */
export function filled(object: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([key]) => !Object.hasOwn(object, key));
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}
