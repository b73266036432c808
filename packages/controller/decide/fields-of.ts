/** The fields of what is an object; of anything else none. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** Whether a value is an object and no list. */
export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two items of a list are one to the API server. */
export function sameItem(a: unknown, b: unknown, keys: readonly string[]): boolean {
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  return keys.every((key) => !left.has(key) || left.get(key) === right.get(key));
}
