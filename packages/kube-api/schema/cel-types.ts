import type { Environment } from '@marcbachmann/cel-js';
import type { Json } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import { nativeType } from './cel-native.ts';
import type { Schema } from './schema.ts';

/** A schema in CEL: the name of its type, and how a value becomes one of it. */
export interface CelType {
  readonly name: string;
  readonly value: (json: Json) => unknown;
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const timestamp = 'google.protobuf.Timestamp';

/**
 * Declares the type of a schema, and those of all parts, in an environment. Undefined for fields that CEL may not use:
 * those without a known type. Integers become BigInt, by which CEL distinguishes them from doubles.
 */
export function declareType(env: Environment, schema: Schema, isRoot: boolean): CelType | undefined {
  const { type, nullable, format } = schema;
  if (schema['x-kubernetes-int-or-string'] === true || nullable === true)
    return { name: 'dyn', value: untyped(schema) };
  switch (type) {
    case 'integer':
      return { name: 'int', value: whole };
    case 'number':
      return { name: 'double', value: (json) => json };
    case 'boolean':
      return { name: 'bool', value: (json) => json };
    case 'string':
      return textType(env, format);
    case 'array':
      return listType(env, schema);
    case 'object':
      return objectType(env, schema, isRoot || schema['x-kubernetes-embedded-resource'] === true);
    default:
      return undefined;
  }
}

function whole(json: Json): unknown {
  return typeof json === 'number' ? (Number.isInteger(json) ? BigInt(json) : json) : json;
}

/** A nullable field and a number or a text: the type is that of each value. */
export function untyped(schema: Schema): (json: Json) => unknown {
  return function convert(json: Json): unknown {
    if (isArray(json)) return json.map(convert);
    if (!isObject(json)) return schema.type === 'number' ? json : whole(json);
    return new Map(Object.entries(json).map(([key, value]) => [key, convert(value)]));
  };
}

function textType(env: Environment, format: string | undefined): CelType {
  switch (format) {
    case 'date-time':
      return { name: timestamp, value: (json) => new Date(String(json)) };
    case 'date':
      return { name: timestamp, value: (json) => new Date(`${json}T00:00:00Z`) };
    case 'duration':
      return { name: 'google.protobuf.Duration', value: (json) => env.evaluate(`duration(${JSON.stringify(json)})`) };
    case 'byte':
      return { name: 'bytes', value: (json) => new Uint8Array(Buffer.from(String(json), 'base64')) };
    default:
      return { name: 'string', value: (json) => json };
  }
}

function listType(env: Environment, { items }: Schema): CelType | undefined {
  const item = items && declareType(env, items, false);
  if (item === undefined) return undefined;
  return { name: `list<${item.name}>`, value: (json) => (isArray(json) ? json.map(item.value) : json) };
}

function objectType(env: Environment, schema: Schema, isResource: boolean): CelType | undefined {
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    const entry = declareType(env, additionalProperties, false);
    if (entry === undefined) return undefined;
    const convert = (json: Json) =>
      Object.entries(isObject(json) ? json : {}).map(([key, value]) => [key, entry.value(value)] as const);
    return { name: `map<string, ${entry.name}>`, value: (json) => new Map(convert(json)) };
  }
  const properties = isResource ? { ...schema.properties, ...typeAndName } : schema.properties;
  if (properties === undefined) return undefined;
  const fields = new Map<string, CelType>();
  for (const [key, property] of Object.entries(properties)) {
    const field = declareType(env, property, false);
    if (field !== undefined) fields.set(key, field);
  }
  return messageType(env, fields);
}

const text: Schema = { type: 'string' };
/** The fields of a resource that rules may use besides its own. */
const typeAndName: Readonly<Record<string, Schema>> = {
  apiVersion: text,
  kind: text,
  metadata: { type: 'object', properties: { name: text, generateName: text } },
};

let declared = 0;

function messageType(env: Environment, fields: ReadonlyMap<string, CelType>): CelType {
  declared += 1;
  const name = `Object${declared}`;
  const types = [...fields].map(([key, field]) => [escaped(key), field.name]);
  const make = nativeType(env, name, Object.fromEntries(types));
  const value = (json: Json): unknown => {
    if (!isObject(json)) return json;
    const known = Object.entries(json).flatMap(([key, child]) => {
      const field = fields.get(key);
      return field === undefined ? [] : [[escaped(key), field.value(child)] as const];
    });
    return make(Object.fromEntries(known));
  };
  return { name, value };
}

/** A field's name as rules write it: `__dash__` for `-`, and so on. */
function escaped(key: string): string {
  if (reserved.has(key)) return `__${key}__`;
  return key
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
