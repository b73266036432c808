import type { Json, JsonObject } from '../json.ts';
import type { Column, Kind } from '../schema/kind.ts';
import { ageOf } from './age.ts';
import type { Cell } from './cell.ts';
import { builtinCell } from './cells-builtin.ts';
import { findPath } from './json-path.ts';

/** The value for one column in the row of an object. */
export function cellOf(kind: Kind, column: Column, { object, now }: { object: JsonObject; now: number }): Json {
  if (kind.custom) return customCell(column, object, now);
  const cell = builtinCell(kind.kind, column.jsonPath);
  return typeof cell === 'string' ? cellAt(object, cell) : (cell?.(object, now) ?? null);
}

/** `.a.b|<none>`: the value at a path, or the alternative; all items of a list with commas; with `#` their number. */
function cellAt(object: JsonObject, cell: Exclude<Cell, (...all: never) => unknown>): Json {
  const [path = '', otherwise = ''] = cell.split('|');
  const found = findPath(object, path.replace('#', '')).filter((value) => value !== '' && value !== null);
  if (path.startsWith('#')) return Number(found[0] ?? 0);
  return found.length === 0 ? otherwise : found.join(',');
}

/** The first value at the column's path, converted into its type. */
function customCell({ type, jsonPath }: Column, object: JsonObject, now: number): Json {
  const [value] = findPath(object, jsonPath);
  if (value === undefined) return null;
  if (type === 'date') return ageOf(value, now);
  if (type === 'string') return typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null;
  return typeof value === type ? value : null;
}
