import type { FieldPath, KubeObject, ManagedFieldsEntry } from '../domain/kube-object.ts';
import { manager } from '../domain/names.ts';
import type { Shape } from '../domain/shape.ts';
import { canonical } from './canonical.ts';
import { fieldsOf, isFields, sameItem } from './fields-of.ts';
import { itemIn, shapeIn } from './shapes.ts';

/** Fields by step, as managedFields have them; `.` is the path itself. */
interface Tree {
  readonly [step: string]: Tree;
}

interface How {
  /** Of the live object. */
  readonly shape: Shape;
  readonly strays?: readonly FieldPath[];
  readonly subresource?: 'status';
  /** The API server gets what comes out, and fills in each default again. */
  readonly refills?: boolean;
}

/**
 * Maps: what else is in the entry of a POST may be a default, which belongs to who posted, and which the API server fills in again
 * when an apply takes it away.
 */
const maps: ReadonlySet<string> = new Set(['f:labels', 'f:annotations', 'f:data', 'f:binaryData']);

/**
 * The live object as Knudge's apply of the desired one would leave it (KEP-555), without what each write moves: what others have set stays,
 * what Knudge has set and no longer names goes, and so do strays. What the API server and webhooks would fill in is not in it; nor, at
 * the first apply after a POST, is it that a field other than an item of a list or an entry of a map goes, unless the API server refills.
 */
export function applied<Desired extends object>(desired: Desired, live: KubeObject, how: How): Desired {
  const { shape, strays = [], subresource = '', refills = false } = how;
  const { managedFields = [] } = live.metadata;
  const isOurs = (entry: ManagedFieldsEntry) => entry.manager === manager && (entry.subresource ?? '') === subresource;
  const own = managedFields
    .filter(isOurs)
    .map((entry) => (refills || entry.operation === 'Apply' ? treeOf(entry) : named(entry)));
  const others = managedFields.filter((entry) => !isOurs(entry)).map(treeOf);
  const there = strays.reduce<unknown>(without, settled(live));
  const kept = own.reduce<unknown>((value, tree) => pruned(value, tree, { wanted: desired, others }), there);
  return merged(desired, kept, shape) as Desired;
}

/** An object without what each write moves. */
export function settled(object: KubeObject): KubeObject {
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function treeOf({ fieldsV1 }: ManagedFieldsEntry): Tree {
  return typeof fieldsV1 === 'object' && fieldsV1 !== null ? (fieldsV1 as Tree) : {};
}

/** The part of the entry of a POST that is no default. */
function named(entry: ManagedFieldsEntry): Tree {
  const within = (tree: Tree, isMap: boolean): Tree =>
    Object.fromEntries(
      Object.entries(tree).flatMap(([step, below]): [string, Tree][] => {
        if (step === '.' || isMap || step.startsWith('v:')) return [[step, below]];
        if (!step.startsWith('f:')) return [[step, { '.': {}, ...within(below, false) }]];
        const left = within(below, maps.has(step));
        return Object.keys(left).some((one) => one !== '.') ? [[step, left]] : [];
      }),
    );
  return within(treeOf(entry), false);
}

function merged(desired: unknown, live: unknown, shape: Shape): unknown {
  if (desired === undefined || desired === null) return live;
  if (Array.isArray(desired)) return mergedList(desired, live, shape);
  if (typeof desired !== 'object' || shape.isWhole || !isFields(live)) return desired;
  const fields = fieldsOf(live);
  const own = Object.entries(desired).map(([key, value]) => [key, merged(value, fields.get(key), shapeIn(shape, key))]);
  return { ...live, ...Object.fromEntries(own) };
}

function mergedList(desired: readonly unknown[], live: unknown, shape: Shape): readonly unknown[] {
  const { keys } = shape;
  if (keys === undefined || !Array.isArray(live)) return desired;
  const isSame = (one: unknown, other: unknown): boolean =>
    keys.length === 0 ? canonical(one) === canonical(other) : sameItem(one, other, keys);
  const kept = live.map((item) => {
    const own = desired.find((one) => isSame(one, item));
    return own === undefined ? item : merged(own, item, itemIn(shape));
  });
  return [...kept, ...desired.filter((one) => !live.some((item) => isSame(one, item)))];
}

interface At {
  readonly wanted: unknown;
  /** What others have set of the same. */
  readonly others: readonly Tree[];
}

/** A value without what this tree owns and nobody wants or owns besides. */
function pruned(value: unknown, own: Tree, at: At): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const step = Object.keys(own).find((one) => isItem(one, item));
      const left = step === undefined ? item : leftOf(item, step, { own, at });
      return left === undefined ? [] : [left];
    });
  }
  if (!isFields(value)) return value;
  const left = Object.entries(value).map(([key, inner]) => {
    const step = `f:${key}`;
    return [key, Object.hasOwn(own, step) ? leftOf(inner, step, { own, at }) : inner] as const;
  });
  return Object.fromEntries(left.filter(([, inner]) => inner !== undefined));
}

/** Undefined if nothing stays. */
function leftOf(value: unknown, step: string, { own, at }: { readonly own: Tree; readonly at: At }): unknown {
  const tree = own[step] ?? {};
  const wanted = wantedAt(at.wanted, step);
  const others = at.others.flatMap((other) => other[step] ?? []);
  const isNobodys = wanted === undefined && others.length === 0;
  const isMember = Object.hasOwn(tree, '.') || Object.keys(tree).length === 0;
  if (isNobodys && isMember) return undefined;
  const left = pruned(value, tree, { wanted, others });
  return isNobodys && isEmpty(left) ? undefined : left;
}

function wantedAt(wanted: unknown, step: string): unknown {
  if (Array.isArray(wanted)) return wanted.find((item) => isItem(step, item));
  return fieldsOf(wanted).get(step.slice(2)) ?? undefined;
}

/** Whether a step of managedFields leads to this item. A key that the desired item leaves to its default counts as the same. */
function isItem(step: string, item: unknown): boolean {
  if (step.startsWith('v:')) return canonical(JSON.parse(step.slice(2))) === canonical(item);
  if (!step.startsWith('k:')) return false;
  const keys = JSON.parse(step.slice(2)) as Record<string, unknown>;
  return isFields(item) && sameItem(item, keys, Object.keys(keys));
}

function without(value: unknown, [step = '', ...rest]: FieldPath): unknown {
  const into = (inner: unknown): readonly unknown[] => (rest.length === 0 ? [] : [without(inner, rest)]);
  if (Array.isArray(value)) return value.flatMap((item) => (isItem(step, item) ? into(item) : [item]));
  if (!isFields(value)) return value;
  const fields = Object.entries(value).flatMap(([key, inner]) =>
    `f:${key}` === step ? into(inner).map((left) => [key, left]) : [[key, inner]],
  );
  return Object.fromEntries(fields);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
