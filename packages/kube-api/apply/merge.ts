import { isArray, isObject, type Json } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { itemElement } from './path-element.ts';
import { fieldOf, type Shape, shapeOf } from './shape.ts';

type Value = Json | undefined;
type ListShape = Extract<Shape, { kind: 'list' }>;

/**
 * The live value with the applied one over it; nothing is removed. Items that only one of the two lists has keep their
 * neighbours; shared items come in the order of the applied ones.
 */
export function merge(schema: Schema | undefined, live: Value, applied: Value): Value {
  if (applied === undefined) return live;
  const shape = shapeOf(schema, applied);
  switch (shape.kind) {
    case 'leaf':
      return applied;
    case 'map':
      return mergeMaps(schema, live, applied);
    case 'list':
      return mergeLists(shape, live, applied);
  }
}

function mergeMaps(schema: Schema | undefined, live: Value, applied: Json): Value {
  const [old, now] = [isObject(live) ? live : {}, isObject(applied) ? applied : {}];
  if (Object.keys(old).length + Object.keys(now).length === 0) return applied;
  const merged = Object.entries(now).map(([name, value]) => {
    const before = Object.hasOwn(old, name) ? old[name] : undefined;
    return [name, merge(fieldOf(schema, name).schema, before, value) ?? null] as const;
  });
  return { ...old, ...Object.fromEntries(merged) };
}

function mergeLists(shape: ListShape, live: Value, applied: Json): Value {
  const old = itemsOf(shape, live);
  const now = itemsOf(shape, applied);
  if (old.length + now.length === 0) return applied;
  const liveItems = Map.groupBy(old, ({ element }) => element);
  const isApplied = new Set(now.map(({ element }) => element));
  const left = [...now];
  const shared = now.map(({ element }) => element).filter((element) => liveItems.has(element));
  const result: Value[] = [];
  const takeApplied = () => {
    const taken = left.shift();
    if (taken === undefined) return;
    // An item that occurs twice is replaced, not merged.
    const [first, second] = liveItems.get(taken.element) ?? [];
    result.push(merge(shape.items, second === undefined ? first?.item : null, taken.item));
    if (shared[0] === taken.element) shared.shift();
  };
  for (const { element, item } of old) {
    if (!isApplied.has(element)) result.push(item);
    else if (shared[0] === undefined) takeApplied();
    // Items applied before a shared item come before it; a live item that is out of that order is skipped.
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
