import { badRequest } from '../http/problem.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { unfit } from './printed.ts';

/** A JSON merge patch (RFC 7386); throws 400 if the patch is not an object. */
export function mergePatch(target: JsonObject, patch: Json): JsonObject {
  if (isObject(patch)) return merged(target, patch);
  if (patch === null) throw badRequest('Invalid JSON Patch');
  throw badRequest(`error decoding patch: ${unfit(patch, 'value of type map[string]interface {}')}`);
}

function merged(target: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const before = result.get(key);
    if (value === null) result.delete(key);
    else result.set(key, isObject(value) ? merged(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(result);
}
