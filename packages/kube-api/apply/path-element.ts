import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';

/** `f:name`: a field of an object. */
export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The element of an item of a set, or of a list with keys; a missing key takes its default, if it has one. */
export function itemElement(
  item: Json,
  { keys, items }: { keys: readonly string[] | undefined; items: Schema },
): string {
  if (keys === undefined) return `v:${encoded(item)}`;
  const given = isObject(item) ? item : {};
  const key: Record<string, Json> = {};
  for (const name of [...keys].sort()) {
    const value = Object.hasOwn(given, name) ? given[name] : items.properties?.[name]?.default;
    if (value !== undefined) key[name] = value;
  }
  return `k:${encoded(key)}`;
}

/** The same element in its canonical form; undefined for one that this version does not know. */
export function canonical(element: string): string | undefined {
  const text = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'f:':
    case 'i:':
      return element;
    case 'v:':
      return `v:${encoded(JSON.parse(text) as Json)}`;
    case 'k:':
      return `k:${encoded(sorted(JSON.parse(text) as JsonObject))}`;
    default:
      return undefined;
  }
}

const order = 'fkvi';

/** Fields, then keys, then values, then indexes. */
export function compareElements(one: string, other: string): number {
  if (one.charCodeAt(0) !== other.charCodeAt(0)) return order.indexOf(one.charAt(0)) - order.indexOf(other.charAt(0));
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** `.spec`, `[name="web"]`, `[="a"]`, as in messages. */
export function describe(element: string): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('v:')) return `[=${text}]`;
  if (element.startsWith('i:')) return `[${text}]`;
  const keys = Object.entries(JSON.parse(text) as JsonObject);
  return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`;
}

// The server escapes characters that could end a script in HTML.
function encoded(value: Json): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sorted(key: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(key).sort(([one], [other]) => (one < other ? -1 : 1)));
}
