import type { Json } from '../json.ts';
import { isArray, isEqual, isObject } from '../json.ts';
import { fieldOf } from './prune.ts';
import type { Schema } from './schema.ts';

/** A place in an object: keys, and indexes of lists. */
export type Path = readonly (string | number)[];

/** `spec.ports[0].name`. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`))
    .join('');
}

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (isArray(at)) return at[Number(step)];
    return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }, value);
}

/** The item of an older list that is the same entry of a map-like list; other lists are values as a whole. */
export function counterpart(schema: Schema, item: Json, old: Json | undefined): Json | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || keys === undefined || !isArray(old) || !isObject(item))
    return undefined;
  return old.find((other) => isObject(other) && keys.every((key) => isEqual(item[key], other[key])));
}

/** Whether a value, or something around it, is unchanged: then its faults are tolerated (KEP-4008, ratcheting). */
export function isUnchanged(schema: Schema, path: Path, { next, old }: { next: Json; old: Json | undefined }): boolean {
  if (old === undefined) return false;
  if (isEqual(next, old)) return true;
  const [step, ...rest] = path;
  if (step === undefined) return false;
  if (isArray(next)) {
    const item = next[Number(step)] ?? null;
    return isUnchanged(schema.items ?? {}, rest, { next: item, old: counterpart(schema, item, old) });
  }
  if (!isObject(next) || !isObject(old) || !Object.hasOwn(next, step) || !Object.hasOwn(old, step)) return false;
  return isUnchanged(fieldOf(schema, String(step)) ?? {}, rest, { next: next[step] ?? null, old: old[step] });
}
