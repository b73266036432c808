import type { Cause } from '../http/problem.ts';
import type { Json } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import type { Path } from './path.ts';
import { pathText } from './path.ts';
import { fieldOf } from './prune.ts';
import type { Schema } from './schema.ts';
import { duplicate, invalidValue } from './texts.ts';

/** Entries that occur twice in lists that are sets or maps: only the second one is reported. */
export function listCauses(schema: Schema, value: Json, path: Path = []): readonly Cause[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, child]) => {
      const known = fieldOf(schema, key);
      return known === undefined ? [] : listCauses(known, child, [...path, key]);
    });
  }
  if (!isArray(value)) return [];
  const items = schema.items ?? {};
  return [...inList(schema, value, path), ...value.flatMap((item, index) => listCauses(items, item, [...path, index]))];
}

function inList(schema: Schema, list: readonly Json[], path: Path): readonly Cause[] {
  const at = (index: number) => pathText([...path, index]);
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return repeated(list).map((index) => duplicate(at(index), list[index] ?? null));
    case 'map': {
      const wrong = list.findIndex((item) => item !== null && !isObject(item));
      if (wrong >= 0) {
        return [invalidValue(at(wrong), list[wrong] ?? null, 'must be an object for an array of list-type map')];
      }
      const keys = list.map((item) => keyOf(schema, item));
      return repeated(keys).map((index) => duplicate(at(index), keys[index] ?? null));
    }
    default:
      return [];
  }
}

function keyOf(schema: Schema, item: Json): Json {
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  return Object.fromEntries(
    names.toSorted().flatMap((name) => (isObject(item) && item[name] !== undefined ? [[name, item[name]]] : [])),
  );
}

function repeated(list: readonly Json[]): readonly number[] {
  const seen = new Map<string, number>();
  return list.flatMap((item, index) => {
    const text = JSON.stringify(item);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return times === 1 ? [index] : [];
  });
}
