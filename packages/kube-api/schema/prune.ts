import { objectMeta } from '../builtin/definitions.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import type { Schema } from './schema.ts';

/** A value without the fields that its schema does not know, and the paths of those. */
export interface Pruned {
  readonly value: Json;
  readonly unknown: readonly string[];
}

/** Drops unknown fields, below `x-kubernetes-preserve-unknown-fields` only in objects with named fields; may return the value itself. */
export function prune(schema: Schema, value: Json): Pruned {
  const unknown: string[] = [];
  return { value: pruned(schema, value, { path: '', keep: false, unknown }), unknown };
}

interface Place {
  readonly path: string;
  readonly keep: boolean;
  readonly unknown: string[];
}

function pruned(schema: Schema, value: Json, place: Place): Json {
  const keep = place.keep || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isArray(value)) {
    const items = schema.items ?? {};
    const left = value.map((item, index) => pruned(items, item, { ...place, path: `${place.path}[${index}]`, keep }));
    return left.every((item, index) => item === value[index]) ? value : left;
  }
  return isObject(value) && !(keep && isBare(schema)) ? prunedObject(schema, value, { ...place, keep }) : value;
}

function prunedObject(schema: Schema, value: JsonObject, place: Place): JsonObject {
  const { path, unknown } = place;
  const kept: Record<string, Json> = {};
  let isSame = true;
  for (const [key, child] of Object.entries(value)) {
    const known = (isResource(schema) ? resourceField(key) : undefined) ?? fieldOf(schema, key);
    const isPart = typeof child === 'object' && child !== null;
    if (known === undefined && !place.keep) unknown.push(under(path, key));
    else kept[key] = known && isPart ? pruned(known, child, { unknown, path: under(path, key), keep: false }) : child;
    if (kept[key] !== child) isSame = false;
  }
  return isSame ? value : kept;
}

/** Whether it names no fields. */
function isBare(schema: Schema): boolean {
  return schema.properties === undefined && schema.additionalProperties === undefined && !isResource(schema);
}

function isResource(schema: Schema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

function under(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The fields of every object inside an object, besides those of its own schema. */
function resourceField(key: string): Schema | undefined {
  if (key === 'metadata') return objectMeta();
  return key === 'apiVersion' || key === 'kind' ? { type: 'string' } : undefined;
}

/** The schema of a field, named or as a map's entry; undefined for an unknown one. */
export function fieldOf({ properties, additionalProperties }: Schema, key: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  if (additionalProperties === true) return {};
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
