import { isDeepStrictEqual } from 'node:util';

/** One value as one variant has it; absent where `value` is undefined. The first of several is the usual one. */
export interface Version {
  readonly when: string;
  /** Of a pair: the conditions that make its own true. */
  readonly parts?: readonly string[];
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
  const [usual] = versions;
  if (usual?.value === undefined) return added(versions);
  const changed = changedOf(versions);
  if (changed.length === 0) return { cases: [], otherwise: plain(usual.value) };
  const present = versions.filter(({ value }) => value !== undefined);
  const common = present.length > 1 ? inDepth(present) : plain(usual.value);
  if (common === undefined) return { cases: casesOf(changed), otherwise: plain(usual.value) };
  return { cases: casesOf(lacking(versions)), otherwise: common };
}

/** Those that say something of their own, and pairs first: such a one does where it is not what its parts make of it anyway. */
function changedOf([usual, ...others]: readonly Version[]): readonly Version[] {
  const single = others.filter(({ parts, value }) => parts === undefined && !isDeepStrictEqual(value, usual?.value));
  const pairs = others.filter(({ parts, value }) => {
    const anyway = single.find(({ when }) => parts?.includes(when)) ?? usual;
    return parts !== undefined && !isDeepStrictEqual(value, anyway?.value);
  });
  return [...pairs, ...single];
}

/** Those that say of their own that there is no value. */
function lacking(versions: readonly Version[]): readonly Version[] {
  const whether = versions.map((version) => ({ ...version, value: version.value === undefined ? undefined : true }));
  return changedOf(whether).filter(({ value }) => value === undefined);
}

/** What is not in the usual version: where one other alone has it, pairs change what that one has. */
function added(versions: readonly Version[]): Branch {
  const present = versions.filter(({ value }) => value !== undefined);
  const pairs = present.filter(({ parts }) => parts !== undefined);
  const [only, ...others] = present.filter(({ parts }) => parts === undefined);
  if (only !== undefined && others.length === 0 && pairs.length > 0) {
    const { cases, otherwise } = merge([only, ...pairs]);
    if (cases.length === 0 && otherwise !== undefined) {
      return { cases: [...casesOf(lacking(versions)), { when: only.when, node: otherwise }] };
    }
  }
  return { cases: casesOf(changedOf(versions)) };
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

/** True where all of the conditions are. */
export function all(whens: readonly string[]): string {
  const [only = ''] = whens;
  return whens.length === 1 ? only : `and (${whens.join(') (')})`;
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
  return versions.map((version) => ({ ...version, value: (version.value as Record<string | number, unknown>)[key] }));
}

function named(versions: readonly Version[], name: string): readonly Version[] {
  return versions.map((version) => ({
    ...version,
    value: (version.value as readonly Record<string, unknown>[]).find((item) => item['name'] === name),
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
