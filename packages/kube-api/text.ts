import type { JsonObject } from './json.ts';
import { isArray, isObject } from './json.ts';
import { createRecent } from './store/recent.ts';

const texts = createRecent<JsonObject, string>(1024);

/** The JSON text of a stored object or of an answer; made only once for an object that has just changed, for all its watches. */
export function textOf(value: JsonObject): string {
  if (isArray(value['items'])) return listText(value, value['items'].filter(isObject));
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

function listText(list: JsonObject, items: readonly JsonObject[]): string {
  const frame = JSON.stringify({ ...list, items: undefined });
  return `${frame.slice(0, -1)},"items":[${items.map(textOf).join(',')}]}`;
}
