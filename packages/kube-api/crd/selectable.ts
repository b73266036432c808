import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, isObject, objectAt } from '../json.ts';
import { duplicate, invalidValue, required, tooMany } from '../schema/texts.ts';

const most = 8;
const types = ['string', 'boolean', 'integer'];

/**
 * The faults of the selectable fields of the versions. The server looks for fields and schema that all versions share at the top of
 * the spec and for others in the versions, and refuses them if they are not in the same place.
 */
export function selectableCauses(versions: readonly JsonObject[]): readonly Cause[] {
  const fields = versions.map((version) => listAt(version, 'selectableFields'));
  const schemas = versions.map((version) => objectAt(version, 'schema')['openAPIV3Schema']);
  const isOneSchema = versions.every((version) => isEqual(version['schema'], versions[0]?.['schema']));
  const isOneList = fields.every((list) => isEqual(list, fields[0]));
  if (isOneList) {
    const why = 'may only be set when validations.schema is included';
    return causesIn(fields[0] ?? [], isOneSchema ? schemas[0] : undefined, { at: 'spec.selectableFields', why });
  }
  const why = 'may only be set when `version.schema.openAPIV3Schema` is not included';
  return fields.flatMap((list, index) => {
    const at = `spec.versions[${index}].selectableFields`;
    return causesIn(list, isOneSchema ? undefined : schemas[index], { at, why });
  });
}

/** The fields by which objects of a version can be selected, as a selector names them. */
export function selectableFields(version: JsonObject): readonly string[] {
  return listAt(version, 'selectableFields').map((field) => pathOf(field).replace(/^\./, ''));
}

function causesIn(
  fields: readonly Json[],
  schema: Json | undefined,
  { at, why }: { readonly at: string; readonly why: string },
): readonly Cause[] {
  if (fields.length === 0) return [];
  if (!isObject(schema)) return [invalidValue(at, '', why)];
  const seen = new Set<string>();
  const causes = fields.flatMap((field, index) => {
    const [where, path] = [`${at}[${index}].jsonPath`, pathOf(field)];
    if (path === '') return [required(where)];
    const found = nodeAt(schema, path);
    if (typeof found === 'string') return [invalidValue(where, path, `is an invalid path: ${found}`)];
    const isTwice = seen.has(path);
    seen.add(path);
    return [
      ...(/^\.metadata(\.|$)/.test(path) ? [invalidValue(where, path, 'must not point to fields in metadata')] : []),
      ...(types.includes(String(found['type'])) ? [] : [invalidValue(where, path, wrongType)]),
      ...(isTwice ? [duplicate(where, path)] : []),
    ];
  });
  return seen.size > most ? [...causes, tooMany(at, seen.size, most)] : causes;
}

const wrongType =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
const nowhere = 'does not refer to a valid field';

/** The part of a schema at a path, or why there is no such part. */
function nodeAt(schema: JsonObject, path: string): JsonObject | string {
  const tokens = path.match(/'.*?(?<!\\)'|[.[\]]|[^.[\]]+/gs) ?? [];
  let node = schema;
  for (let at = 0; at < tokens.length; at += 2) {
    const [sign, name] = [tokens[at], tokens[at + 1]];
    if (sign === '[') return 'array notation is not allowed';
    if (sign !== '.') return `expected [ or . but got: ${sign}`;
    if (name === undefined) return 'unexpected end of JSON path';
    const { properties, additionalProperties } = node;
    if (isObject(properties) ? !Object.hasOwn(properties, name) : additionalProperties === undefined) return nowhere;
    node = objectAt(isObject(properties) ? properties[name] : additionalProperties);
  }
  return node;
}

function pathOf(field: Json): string {
  const { jsonPath } = objectAt(field);
  return typeof jsonPath === 'string' ? jsonPath : '';
}

function listAt(object: JsonObject, key: string): readonly Json[] {
  const { [key]: list } = object;
  return isArray(list) ? list : [];
}
