import { isArray, isObject, type Json } from '../json.ts';
import type { Schema } from '../schema.ts';
import { itemElement } from './path-element.ts';
import { fieldOf, type Shape, shapeOf } from './shape.ts';

type Value = Json | undefined;
type ListShape = Extract<Shape, { kind: 'list' }>;

/**
 * What is live with what is applied over it; nothing is removed. Items that only one of the two lists has keep their
 * neighbours; shared items come in the order of the applied ones.
 */
export function merge(schema: Schema | undefined, live: Value, applied: Value): Value {
  const shape = shapeOf(schema, applied ?? live);
  switch (shape.kind) {
    case 'leaf':
      return applied === undefined ? live : applied;
    case 'map':
      return mergeMaps(schema, live, applied);
    case 'list':
      return mergeLists(shape, live, applied);
  }
}

function mergeMaps(schema: Schema | undefined, live: Value, applied: Value): Value {
  const old = new Map(Object.entries(isObject(live) ? live : {}));
  const now = new Map(Object.entries(isObject(applied) ? applied : {}));
  const names = new Set([...old.keys(), ...now.keys()]);
  if (names.size === 0) return applied === undefined ? live : applied;
  const entries = [...names].flatMap((name) => {
    const value = merge(fieldOf(schema, name).schema, old.get(name), now.get(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function mergeLists(shape: ListShape, live: Value, applied: Value): Value {
  const old = itemsOf(shape, live);
  const now = itemsOf(shape, applied);
  if (old.length + now.length === 0) return applied === undefined ? live : applied;
  const liveItems = Map.groupBy(old, ({ element }) => element);
  const isApplied = new Set(now.map(({ element }) => element));
  const left = [...now];
  const shared = now.map(({ element }) => element).filter((element) => liveItems.has(element));
  const result: Value[] = [];
  const takeApplied = () => {
    const taken = left.shift();
    if (taken === undefined) return;
    // An item that is there twice is replaced, not merged.
    const [first, second] = liveItems.get(taken.element) ?? [];
    result.push(merge(shape.items, second === undefined ? first?.item : null, taken.item));
    if (shared[0] === taken.element) shared.shift();
  };
  for (const { element, item } of old) {
    if (!isApplied.has(element)) result.push(item);
    else if (shared[0] === undefined) takeApplied();
    // What is applied before a shared item comes before it; a live item that is out of that order is passed over.
    else while (shared[0] === element) takeApplied();
  }
  while (left.length > 0) takeApplied();
  return result.filter((item) => item !== undefined);
}

interface Item {
  readonly element: string;
  readonly item: Json;
}

function itemsOf(shape: ListShape, list: Value): readonly Item[] {
  return (isArray(list) ? list : []).map((item) => ({ element: itemElement(item, shape), item }));
}
