import type { AnySchemaObject } from 'ajv';
import type { Schema } from './schema.ts';

/** The JSON schema that ajv understands for a structural schema; `anyOf` and the like may be in any node. */
export function toAjv(schema: Schema): AnySchemaObject {
  const { type, nullable, items, properties, additionalProperties, required = [], not } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true ? ['apiVersion', 'kind'] : [];
  const types =
    schema['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : type === undefined ? [] : [type];
  return {
    ...(types.length > 0 && { type: nullable === true ? [...types, 'null'] : types }),
    ...allOf(schema),
    ...plain(schema),
    ...bounds(schema),
    ...(items && { items: toAjv(items) }),
    ...(schema.enum && { enum: nullable === true ? [...schema.enum, null] : schema.enum }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: toAjv(additionalProperties) }),
    ...(properties && { properties: each(properties) }),
    ...(required.length + embedded.length > 0 && { required: [...new Set([...embedded, ...required])] }),
    ...(not && { not: toAjv(not) }),
  };
}

const kept = [
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
];

function plain(schema: Schema): AnySchemaObject {
  const format = schema.type === 'string' ? { format: schema.format } : {};
  const entries = Object.entries({ ...schema, format: undefined, ...format });
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== undefined && (kept.includes(key) || key === 'format')),
  );
}

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): AnySchemaObject {
  return {
    ...(minimum !== undefined && { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

function allOf({ allOf: all, anyOf, oneOf }: Schema): AnySchemaObject {
  return {
    ...(anyOf && { anyOf: anyOf.map(toAjv) }),
    ...(oneOf && { oneOf: oneOf.map(toAjv) }),
    ...(all && { allOf: all.map(toAjv) }),
  };
}

function each(properties: Readonly<Record<string, Schema>>): Record<string, AnySchemaObject> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toAjv(schema)]));
}
