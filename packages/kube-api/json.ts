/** Parsed JSON. Versions of an object share values, so a value is never changed in place. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object by its keys. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON object, not an array and not null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether both are the same JSON; the order of keys does not matter. */
export function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (isArray(one)) {
    return isArray(other) && one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  );
}

/** The object at a path of keys, or an empty one if there is no such object. */
export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  let found = value;
  for (const key of path) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return isObject(found) ? found : {};
}
