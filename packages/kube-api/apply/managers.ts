import { isArray, isObject, type Json, type JsonObject, objectAt } from '../json.ts';
import { type FieldSet, isEmpty } from './field-set.ts';
import { parseFields, printFields } from './fields-v1.ts';

/** The fields that one manager owns by one operation. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Empty: the object itself. */
  readonly subresource: string;
  /** RFC 3339, seconds. */
  readonly time?: string;
  readonly fields: FieldSet;
}

/** Keyed by `idOf`. */
export type Managers = ReadonlyMap<string, Manager>;

/** The identity of a manager, which is also its order in messages. An apply has one for all versions. */
export function idOf({ name, operation, apiVersion, subresource }: Omit<Manager, 'fields' | 'time'>): string {
  return JSON.stringify({
    ...(name !== '' && { manager: name }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== '' && { subresource }),
  });
}

/** The managers of an object; undefined if its managedFields are missing, empty or malformed. */
export function managersOf(object: JsonObject | undefined): Managers | undefined {
  const entries = objectAt(object, 'metadata')['managedFields'];
  if (!isArray(entries) || entries.length === 0) return undefined;
  const managers = new Map<string, Manager>();
  for (const entry of entries) {
    const manager = parse(entry);
    if (manager === undefined) return undefined;
    managers.set(idOf(manager), manager);
  }
  return managers;
}

/** The object with these managers: updates after applies, the oldest first; without the field if there are no managers. */
export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const { managedFields: _, ...metadata } = objectAt(object, 'metadata');
  const entries = [...managers.values()].filter(({ fields }) => !isEmpty(fields)).sort(inOrder);
  return { ...object, metadata: { ...metadata, ...(entries.length > 0 && { managedFields: entries.map(print) }) } };
}

function parse(entry: Json): Manager | undefined {
  if (!isObject(entry)) return undefined;
  const { manager, operation, apiVersion, subresource, time, fieldsType, fieldsV1 } = entry;
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (typeof apiVersion !== 'string' || apiVersion === '' || fieldsType !== 'FieldsV1') return undefined;
  const fields = tryParse(fieldsV1);
  if (fields === undefined) return undefined;
  return {
    name: typeof manager === 'string' ? manager : '',
    operation,
    apiVersion,
    subresource: typeof subresource === 'string' ? subresource : '',
    ...(typeof time === 'string' && { time }),
    fields,
  };
}

function tryParse(fields: Json | undefined): FieldSet | undefined {
  try {
    return parseFields(fields);
  } catch {
    return undefined;
  }
}

function print({ name, operation, apiVersion, subresource, time, fields }: Manager): JsonObject {
  return {
    ...(name !== '' && { manager: name }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: printFields(fields),
    ...(subresource !== '' && { subresource }),
  };
}

function inOrder(one: Manager, other: Manager): number {
  return (
    compareText(one.operation, other.operation) ||
    compareText(one.time ?? '', other.time ?? '') ||
    compareText(one.name, other.name) ||
    compareText(one.apiVersion, other.apiVersion) ||
    compareText(one.subresource, other.subresource)
  );
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
