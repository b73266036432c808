import { isDeepStrictEqual } from 'node:util';

/** A value in one variant; undefined if it is absent there. The first of several is the usual one. */
export interface Version {
  readonly when: string;
  /** For a pair: the conditions of its two parts. */
  readonly parts?: readonly string[];
  readonly value: unknown;
}

/** The common part of several versions, and the places where they differ. */
export type Merged =
  | { readonly kind: 'leaf'; readonly value: unknown }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Branch> }
  | { readonly kind: 'list'; readonly items: readonly Branch[] };

/** The first case whose condition is true; no value if that has no node. */
export interface Branch {
  readonly cases: readonly { readonly when: string; readonly node?: Merged }[];
  readonly otherwise?: Merged;
}

/** One tree for all versions, which differ as deep in it as possible. */
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

/** The versions with a value of their own, pairs first: a pair has one if it differs from what its parts make of it. */
function changedOf([usual, ...others]: readonly Version[]): readonly Version[] {
  const single = others.filter(({ parts, value }) => parts === undefined && !isDeepStrictEqual(value, usual?.value));
  const pairs = others.filter(({ parts, value }) => {
    const anyway = single.find(({ when }) => parts?.includes(when)) ?? usual;
    return parts !== undefined && !isDeepStrictEqual(value, anyway?.value);
  });
  return [...pairs, ...single];
}

/** The versions that on their own remove the value. */
function lacking(versions: readonly Version[]): readonly Version[] {
  const whether = versions.map((version) => ({ ...version, value: version.value === undefined ? undefined : true }));
  return changedOf(whether).filter(({ value }) => value === undefined);
}

/** A value that is not in the usual version: if only one other has it, pairs change what that one has. */
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

/** One case for equal values. */
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

/** True if one of the conditions is. */
export function either(whens: readonly string[]): string {
  const [only = ''] = whens;
  return whens.length === 1 ? only : `or ${whens.map((when) => `(${when})`).join(' ')}`;
}

/** True if all of the conditions are. */
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

/** Undefined if the versions share no structure to descend into. */
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
  if (values.some((list) => list.length !== length)) return byItem(versions);
  return { kind: 'list', items: Array.from({ length }, (_, index) => merge(at(versions, index))) };
}

/** A list whose items come and go one by one, so that what several variants add and remove is there with all of them together. */
function byItem(versions: readonly Version[]): Merged | undefined {
  const lists = versions.map(({ value }) => (value as readonly unknown[]).map((item) => JSON.stringify(item)));
  if (!lists.every(areDifferentTexts)) return undefined;
  const items = inOrder(lists).map((item) => {
    const isThere = (index: number): boolean => lists[index]?.includes(item) ?? false;
    return merge(
      versions.map((version, index) => ({ ...version, value: isThere(index) ? JSON.parse(item) : undefined })),
    );
  });
  return { kind: 'list', items };
}

/** The items of all lists, in an order that fits each list. */
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

/** Whether it is a map of YAML. Markers of places.ts are leaves: only the template knows their content. */
function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(marker in value);
}

/** The key that marks a value which the chart fills in. */
export const marker = '$chart';
