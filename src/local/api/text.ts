import type { JsonObject } from './json.ts';
import { isArray, isObject } from './json.ts';

const texts = new WeakMap<JsonObject, string>();

/** The JSON text of a stored object or of an answer; made once for an object, however many watch it. */
export function textOf(value: JsonObject): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = isArray(value['items']) ? listText(value, value['items'].filter(isObject)) : JSON.stringify(value);
  texts.set(value, text);
  return text;
}

function listText(list: JsonObject, items: readonly JsonObject[]): string {
  const frame = JSON.stringify({ ...list, items: undefined });
  return `${frame.slice(0, -1)},"items":[${items.map(textOf).join(',')}]}`;
}
