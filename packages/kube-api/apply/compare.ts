import { isArray, isEqual, isObject, type Json, type JsonObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { type FieldSet, type Path, setOf } from './field-set.ts';
import { fieldElement, itemElement } from './path-element.ts';
import { fieldOf, type Shape, shapeOf } from './shape.ts';

export interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

type ListShape = Extract<Shape, { kind: 'list' }>;
type Found = Readonly<Record<keyof Comparison, Path[]>>;

/** One value before and after; undefined if it is absent. */
interface Pair {
  readonly schema: Schema | undefined;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly path: Path;
}

/** What differs between two objects, in the terms of ownership: moved items of a list that has keys do not. */
export function compare(schema: Schema, before: Json, after: Json): Comparison {
  const found: Found = { added: [], removed: [], modified: [] };
  walk(found, { schema, before, after, path: [] });
  return { added: setOf(found.added), removed: setOf(found.removed), modified: setOf(found.modified) };
}

function walk(found: Found, pair: Pair): void {
  const { schema, before, after, path } = pair;
  if (before === after) return;
  const first = shapeOf(schema, before ?? after);
  const last = shapeOf(schema, after ?? before);
  // A value that changed its type is compared as both.
  if (first.kind !== last.kind && before !== undefined && after !== undefined) walkAs(found, first, pair);
  const isWhole = walkAs(found, last, pair);
  if (isWhole || path.length === 0) return;
  if (before === undefined) found.added.push(path);
  else if (after === undefined) found.removed.push(path);
}

/** Returns whether the value was compared as a whole. */
function walkAs(found: Found, shape: Shape, pair: Pair): boolean {
  switch (shape.kind) {
    case 'leaf':
      compareWhole(found, pair);
      return true;
    case 'map':
      return walkMap(found, pair);
    case 'list':
      return walkList(found, shape, pair);
  }
}

function compareWhole(found: Found, { before, after, path }: Pair): void {
  if (before === undefined) found.added.push(path);
  else if (after === undefined) found.removed.push(path);
  else if (!isEqual(before, after)) found.modified.push(path);
}

function walkMap(found: Found, pair: Pair): boolean {
  const before = isObject(pair.before) ? pair.before : {};
  const after = isObject(pair.after) ? pair.after : {};
  const names = Object.keys(before);
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) names.push(name);
  if (names.length === 0) compareWhole(found, pair);
  for (const name of names) {
    const [old, now] = [own(before, name), own(after, name)];
    if (old === now) continue;
    const path = [...pair.path, fieldElement(name)];
    walk(found, { schema: fieldOf(pair.schema, name).schema, before: old, after: now, path });
  }
  return names.length === 0;
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function walkList(found: Found, shape: ListShape, pair: Pair): boolean {
  const before = grouped(shape, pair.before);
  const after = grouped(shape, pair.after);
  const elements = new Set([...before.keys(), ...after.keys()]);
  if (elements.size === 0) compareWhole(found, pair);
  for (const element of elements) {
    const items = { before: before.get(element) ?? [], after: after.get(element) ?? [] };
    walkItems(found, items, { schema: shape.items, path: [...pair.path, element] });
  }
  return elements.size === 0;
}

type Items = Readonly<Record<'before' | 'after', readonly Json[]>>;

/** The items of one key: usually one; those that occur twice have no parts of their own. */
function walkItems(found: Found, { before, after }: Items, { schema, path }: Pick<Pair, 'schema' | 'path'>): void {
  const [wasTwice, isTwice] = [before.length > 1, after.length > 1];
  if (wasTwice && isTwice) {
    if (!isEqual(before, after)) found.modified.push(path);
    return;
  }
  const [old, now] = [wasTwice ? undefined : before[0], isTwice ? undefined : after[0]];
  if (old !== undefined || now !== undefined) walk(found, { schema, before: old, after: now, path });
  if (wasTwice) found.removed.push(path);
  if (isTwice) found.added.push(path);
}

function grouped(shape: ListShape, list: Json | undefined): ReadonlyMap<string, readonly Json[]> {
  return Map.groupBy(isArray(list) ? list : [], (item) => itemElement(item, shape));
}
