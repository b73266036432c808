import { objectMeta } from '../builtin/definitions.ts';
import { isArray, isObject, type Json } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import type { Schema } from '../schema/schema.ts';

/** How values of one type are owned and merged. */
export type Shape =
  /** As a whole: scalars, atomic lists and maps. */
  | { readonly kind: 'leaf' }
  /** Field by field. */
  | { readonly kind: 'map' }
  /** Item by item, found by keys; without keys it is a set. */
  | { readonly kind: 'list'; readonly keys: readonly string[] | undefined; readonly items: Schema };

export interface Field {
  /** Undefined: nothing is known; then maps are merged field by field, lists as a whole. */
  readonly schema: Schema | undefined;
  /** Whether the schema names the field; otherwise it is a key of a map. */
  readonly isNamed: boolean;
}

const leaf: Shape = { kind: 'leaf' };
const map: Shape = { kind: 'map' };
const meta = new Set(['apiVersion', 'kind', 'metadata']);

/** The schema of whole objects of a kind. */
export function schemaOf({ custom, schema }: Pick<Kind, 'custom' | 'schema'>): Schema {
  return custom ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema;
}

export function shapeOf(schema: Schema | undefined, value: Json | undefined): Shape {
  if (isObject(value)) return schema?.['x-kubernetes-map-type'] === 'atomic' ? leaf : map;
  if (isArray(value)) return listShape(schema);
  if (value !== null && value !== undefined) return leaf;
  if (schema?.type === 'array') return listShape(schema);
  return schema?.type === undefined || schema.type === 'object' ? shapeOf(schema, {}) : leaf;
}

export function fieldOf(schema: Schema | undefined, name: string): Field {
  if (schema === undefined) return { schema: undefined, isNamed: false };
  const { properties, additionalProperties } = schema;
  if (schema['x-kubernetes-embedded-resource'] === true && meta.has(name)) {
    return { schema: name === 'metadata' ? objectMeta() : { type: 'string' }, isNamed: true };
  }
  if (properties !== undefined && Object.hasOwn(properties, name)) return { schema: properties[name], isNamed: true };
  return { schema: typeof additionalProperties === 'object' ? additionalProperties : undefined, isNamed: false };
}

function listShape(schema: Schema | undefined): Shape {
  const items = schema?.items ?? {};
  const keys = schema?.['x-kubernetes-list-map-keys'];
  const mergeKey = schema?.['x-kubernetes-patch-merge-key'];
  switch (schema?.['x-kubernetes-list-type']) {
    case 'map':
      return { kind: 'list', keys: keys ?? [], items };
    case 'set':
      return { kind: 'list', keys: undefined, items };
    case 'atomic':
      return leaf;
    default:
      if (!schema?.['x-kubernetes-patch-strategy']?.startsWith('merge')) return leaf;
      return { kind: 'list', keys: mergeKey === undefined ? undefined : [mergeKey], items };
  }
}
