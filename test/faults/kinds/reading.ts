import type { FieldPath } from '../../../packages/controller/cluster/yaml.ts';

/** A value somewhere in a file, and the way to complain about it. */
export interface Node {
  readonly value: unknown;
  readonly path: FieldPath;
  /** Throws: where in the file it is and what is wrong. */
  readonly fail: (path: FieldPath, what: string) => never;
}

/** Fields that must be there, and fields that may be; no others. */
export interface Fields<Needed extends string, Possible extends string> {
  readonly needed: readonly Needed[];
  readonly possible?: readonly Possible[];
}

type Record_<Needed extends string, Possible extends string> = Readonly<Record<Needed, Node>> &
  Readonly<Partial<Record<Possible, Node>>>;

/** The fields of an object, each a node of its own. */
export function fieldsOf<Needed extends string, Possible extends string = never>(
  node: Node,
  { needed, possible = [] }: Fields<Needed, Possible>,
): Record_<Needed, Possible> {
  const { value, path, fail } = node;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(path, 'must be an object');
  const known: readonly string[] = [...needed, ...possible];
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) return fail([...path, unknown], `is not known here: there are ${known.join(', ')}`);
  const missing = needed.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return fail(path, `has no ${missing}`);
  const entries = Object.entries(value).map(([key, field]) => [
    key,
    { value: field as unknown, path: [...path, key], fail },
  ]);
  return Object.fromEntries(entries) as Record_<Needed, Possible>;
}

/** The items of a list, each a node of its own; at least this many. */
export function itemsOf({ value, path, fail }: Node, least = 0): readonly Node[] {
  if (!Array.isArray(value) || value.length < least) return fail(path, `must be a list of at least ${least}`);
  return value.map((item: unknown, index) => ({ value: item, path: [...path, index], fail }));
}

export function textOf({ value, path, fail }: Node): string {
  return typeof value === 'string' && value !== '' ? value : fail(path, 'must be a text');
}

/** A whole number within these bounds. */
export function wholeOf({ value, path, fail }: Node, least = 0, most: number = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  return fail(path, `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? ' on' : ` to ${most}`}`);
}

export function oneOf<const Choice extends string>({ value, path, fail }: Node, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value);
  return found ?? fail(path, `is ${JSON.stringify(value)}: it must be one of ${choices.join(', ')}`);
}
