import { objectMeta } from '../builtin/definitions.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import type { Schema } from '../schema.ts';

/** A value without the fields that its schema does not know, and the paths of those. */
export interface Pruned {
  readonly value: Json;
  readonly unknown: readonly string[];
}

/** Drops unknown fields, but below `x-kubernetes-preserve-unknown-fields` only where fields are named again. */
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
    return value.map((item, index) => pruned(items, item, { ...place, path: `${place.path}[${index}]`, keep }));
  }
  return isObject(value) ? prunedObject(schema, value, { ...place, keep }) : value;
}

function prunedObject(schema: Schema, value: JsonObject, place: Place): JsonObject {
  const { path, unknown } = place;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const kept = Object.entries(value).flatMap(([key, child]) => {
    const below = path === '' ? key : `${path}.${key}`;
    const known = embedded ? (resourceField(key) ?? fieldOf(schema, key)) : fieldOf(schema, key);
    if (known !== undefined) return [[key, pruned(known, child, { ...place, path: below, keep: false })] as const];
    if (place.keep) return [[key, child] as const];
    unknown.push(below);
    return [];
  });
  return Object.fromEntries(kept);
}

/** What an object inside an object has, whatever its own schema says. */
function resourceField(key: string): Schema | undefined {
  if (key === 'metadata') return objectMeta();
  return key === 'apiVersion' || key === 'kind' ? { type: 'string' } : undefined;
}

/** The schema of a field, whether it is named or one of a map's; undefined for an unknown one. */
export function fieldOf({ properties, additionalProperties }: Schema, key: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  if (additionalProperties === true) return {};
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
