import type { Writing } from './last-written.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value from outside; none where it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The objects in a list from outside; none where it is no list. */
export function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

/** Those of these fields that are texts. */
export function textsIn<Name extends string>(fields: Fields, names: readonly Name[]): Partial<Record<Name, string>> {
  const texts = names.filter((name) => typeof fields[name] === 'string').map((name) => [name, fields[name]]);
  return Object.fromEntries(texts) as Partial<Record<Name, string>>;
}

/** What `managedFields` from outside say of who wrote. */
export function writingsIn(managedFields: unknown): readonly Writing[] {
  return objectsIn(managedFields).map((one) => ({
    ...textsIn(one, ['manager', 'operation', 'subresource', 'time']),
    fieldsV1: one['fieldsV1'],
  }));
}
