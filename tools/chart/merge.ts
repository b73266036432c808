import { isDeepStrictEqual } from 'node:util';

/** One value as one variant has it; absent where `value` is undefined. The first of several is the usual one. */
export interface Version {
  readonly when: string;
  readonly value: unknown;
}

/** What several versions have in common, and where they part. */
export type Merged =
  | { readonly kind: 'leaf'; readonly value: unknown }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Branch> }
  | { readonly kind: 'list'; readonly items: readonly Branch[] };

/** The first case whose condition is true; nothing where that has no node. */
export interface Branch {
  readonly cases: readonly { readonly when: string; readonly node?: Merged }[];
  readonly otherwise?: Merged;
}

/** One tree for all versions: they part as deep in it as they can. */
export function merge(versions: readonly Version[]): Branch {
  const [usual, ...others] = versions;
  const changed = others.filter(({ value }) => !isDeepStrictEqual(value, usual?.value));
  const present = versions.filter(({ value }) => value !== undefined);
  if (usual?.value === undefined) return { cases: casesOf(changed) };
  if (changed.length === 0) return { cases: [], otherwise: plain(usual.value) };
  const common = present.length > 1 ? inDepth(present) : plain(usual.value);
  if (common === undefined) return { cases: casesOf(changed), otherwise: plain(usual.value) };
  return { cases: casesOf(changed.filter(({ value }) => value === undefined)), otherwise: common };
}

/** Equal values have one case. */
function casesOf(changed: readonly Version[]): Branch['cases'] {
  const groups: { whens: string[]; value: unknown }[] = [];
  for (const { when, value } of changed) {
    const same = groups.find((group) => isDeepStrictEqual(group.value, value));
    if (same === undefined) groups.push({ whens: [when], value });
    else same.whens.push(when);
  }
  return groups.map(({ whens, value }) => ({
    when: either(whens),
    ...(value !== undefined && { node: plain(value) }),
  }));
}

/** True where one of the conditions is. */
export function either(whens: readonly string[]): string {
  const [only = ''] = whens;
  return whens.length === 1 ? only : `or ${whens.map((when) => `(${when})`).join(' ')}`;
}

function plain(value: unknown): Merged {
  if (Array.isArray(value)) {
    return { kind: 'list', items: value.map((item: unknown) => ({ cases: [], otherwise: plain(item) })) };
  }
  if (!isMap(value)) return { kind: 'leaf', value };
  const entries = Object.entries(value).map(([key, inner]): [string, Branch] => [
    key,
    { cases: [], otherwise: plain(inner) },
  ]);
  return { kind: 'map', entries: new Map(entries) };
}

/** Undefined where the versions have nothing in common to go down by. */
function inDepth(versions: readonly Version[]): Merged | undefined {
  const values = versions.map(({ value }) => value);
  if (values.every(isMap) && values.every((map) => Object.keys(map).length > 0)) {
    const keys = inOrder(values.map((map) => Object.keys(map)));
    return { kind: 'map', entries: new Map(keys.map((key) => [key, merge(at(versions, key))])) };
  }
  if (!values.every(isListOfMaps) || values.every(({ length }) => length === 0)) return undefined;
  const names = values.map((list) => list.map((item) => item['name']));
  if (names.every(areDifferentTexts)) {
    const union = inOrder(names);
    return { kind: 'list', items: union.map((name) => merge(named(versions, name))) };
  }
  const [length = 0] = values.map((list) => list.length);
  if (values.some((list) => list.length !== length)) return undefined;
  return { kind: 'list', items: Array.from({ length }, (_, index) => merge(at(versions, index))) };
}

/** All that are in one of the lists, where the order of each list allows. */
function inOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const [usual = [], ...others] = lists;
  const all = [...usual];
  for (const list of others) {
    list.forEach((name, index) => {
      if (all.includes(name)) return;
      const before = list[index - 1];
      all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, name);
    });
  }
  return all;
}

function at(versions: readonly Version[], key: string | number): readonly Version[] {
  return versions.map(({ when, value }) => ({ when, value: (value as Record<string | number, unknown>)[key] }));
}

function named(versions: readonly Version[], name: string): readonly Version[] {
  return versions.map(({ when, value }) => ({
    when,
    value: (value as readonly Record<string, unknown>[]).find((item) => item['name'] === name),
  }));
}

function areDifferentTexts(names: readonly unknown[]): names is string[] {
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}

function isListOfMaps(value: unknown): value is readonly Record<string, unknown>[] {
  return Array.isArray(value) && value.every(isMap);
}

/** A map of YAML. Markers of places.ts are leaves: what a template puts there is not known here. */
function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(marker in value);
}

/** The key of a value that the chart fills in. */
export const marker = '$chart';
