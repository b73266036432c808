import type { ErrorObject } from 'ajv';
import type { Cause } from '../http/problem.ts';
import type { Json } from '../json.ts';
import { isArray } from '../json.ts';
import { invalidValue, notSupported, required, tooLong, tooMany, typeInvalid } from './texts.ts';

/** The place of a fault: the field in the cause, and its path from the schema on, which is in the text. */
interface At {
  readonly field: string;
  readonly path: string;
}

/** Limits with one sentence each, and whether it shows the value or its size. */
const limits: Readonly<Record<string, (limit: unknown) => string>> = {
  minLength: (limit) => `should be at least ${limit} chars long`,
  minItems: (limit) => `should have at least ${limit} items`,
  minProperties: (limit) => `should have at least ${limit} properties`,
  pattern: (pattern) => `should match '${pattern}'`,
  multipleOf: (factor) => `should be a multiple of ${factor}`,
  minimum: (limit) => `should be greater than or equal to ${limit}`,
  exclusiveMinimum: (limit) => `should be greater than ${limit}`,
  maximum: (limit) => `should be less than or equal to ${limit}`,
  exclusiveMaximum: (limit) => `should be less than ${limit}`,
};

/** A fault that ajv found, in the form of the API server; the field is below `above`. */
export function problemOf(error: ErrorObject, { path, above }: { path: string; above: string }): Cause {
  const at = { path, field: [above, path].filter((part) => part !== '').join('.') };
  const { keyword, data, schema } = error;
  const limit = limits[keyword];
  if (limit === undefined) return otherProblem(error, at);
  const isSize = keyword === 'minItems' || keyword === 'minProperties';
  return invalidValue(at.field, isSize ? sizeOf(data as Json) : (data as Json), `${path} in body ${limit(schema)}`);
}

function otherProblem(error: ErrorObject, { field, path }: At): Cause {
  const { schema, params } = error as { schema: unknown; params: Readonly<Record<string, unknown>> };
  const value = error.data as Json;
  switch (error.keyword) {
    case 'type': {
      const wanted = [schema as string | string[]].flat().filter((type) => type !== 'null');
      return typeInvalid(
        field,
        typeOf(value),
        `${path} in body must be of type ${wanted.join(',')}: "${typeOf(value)}"`,
      );
    }
    case 'format':
      return typeInvalid(field, value, `${path} in body must be of type ${schema}: ${JSON.stringify(value)}`);
    case 'required':
      return required([field, String(params['missingProperty'])].filter((part) => part !== '').join('.'));
    case 'enum':
      return notSupported(
        field,
        value,
        (schema as Json[]).filter((item) => item !== null),
      );
    case 'maxLength':
      return tooLong(field, Number(schema));
    case 'maxItems':
    case 'maxProperties':
      return tooMany(field, sizeOf(value), Number(schema));
    default:
      return combinedProblem(error.keyword, path, params['passingSchemas'] as readonly number[] | null);
  }
}

/** The server names no field if a combination of schemas fails. `found`: how many of oneOf fitted. */
export function combinedProblem(keyword: string, path: string, found?: readonly number[] | null): Cause {
  const count = found ? `${found.length} valid alternatives` : 'none valid';
  const words: Readonly<Record<string, string>> = {
    allOf: 'must validate all the schemas (allOf)',
    anyOf: 'must validate at least one schema (anyOf)',
    oneOf: `must validate one and only one schema (oneOf). Found ${count}`,
    not: 'must not validate the schema (not)',
  };
  return invalidValue('<nil>', '', `"${path}" ${words[keyword]}`);
}

function typeOf(value: Json): string {
  if (isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return value === null ? 'null' : typeof value;
}

function sizeOf(value: Json): number {
  return isArray(value) ? value.length : Object.keys(value ?? {}).length;
}
