import type { Json, JsonObject } from '../json.ts';
import { findPath } from './json-path.ts';

/** The first value at a path, as a text; empty where the path leads to nothing. */
export function first(value: Json, path: string): string {
  const [found = ''] = findPath(value, path);
  return found === null ? '' : String(found);
}

/** `a=b,c=d`. */
export function labels(of: JsonObject): string {
  const pairs = Object.keys(of).map((key) => `${key}=${String(of[key])}`);
  return pairs.sort().join(',') || '<none>';
}

/** Three values and the number of the others, as the printers shorten lists. */
export function shortened(values: readonly Json[], otherwise = '<unset>'): string {
  const more = values.length > 3 ? ` + ${values.length - 3} more...` : '';
  return values.length === 0 ? otherwise : `${values.slice(0, 3).join(',')}${more}`;
}
