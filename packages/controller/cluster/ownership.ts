import type { FieldPath, ManagedFieldsEntry } from '../domain/kube-object.ts';
import { manager } from '../domain/names.ts';

/**
 * Fields as managedFields have them (KEP-555): by step, with `.` if the path itself is meant besides what is below it. A tree
 * without steps means the field itself.
 */
interface Tree {
  readonly [step: string]: Tree;
}

/**
 * The same entries with these fields only in the entry of Knudge's applies: then its next apply removes those that it does
 * not name. Undefined if they are there already.
 */
export function ownedAlone(
  entries: readonly ManagedFieldsEntry[],
  paths: readonly FieldPath[],
  apiVersion: string,
): readonly ManagedFieldsEntry[] | undefined {
  const ours = entries.filter(isOurs);
  const others = entries.filter((entry) => !isOurs(entry));
  const own = ours.map(treeOf).reduce(union, {});
  const isAlone = paths.every(
    (path) => isMember(own, path) && others.every((entry) => at(treeOf(entry), path) === undefined),
  );
  if (isAlone) return undefined;
  const taken = paths.reduce((tree, path) => union(tree, nested(path, { '.': {} })), own);
  const all = paths.reduce((tree, path) => others.reduce((sum, other) => union(sum, part(other, path)), tree), taken);
  const [first] = ours;
  const entry = { apiVersion, ...first, manager, operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: all };
  const left = others.flatMap((other) => {
    const fieldsV1 = paths.reduce<Tree | undefined>((tree, path) => tree && without(tree, path), treeOf(other));
    return fieldsV1 === undefined ? [] : [{ ...other, fieldsV1 }];
  });
  return [...left, entry];
}

/** An entry for the object itself, posted or applied. */
function isOurs(entry: ManagedFieldsEntry): boolean {
  return entry.manager === manager && (entry.subresource ?? '') === '';
}

function treeOf({ fieldsV1 }: ManagedFieldsEntry): Tree {
  return typeof fieldsV1 === 'object' && fieldsV1 !== null ? (fieldsV1 as Tree) : {};
}

/** The part of an entry that is at a path, as a tree from the top. */
function part(entry: ManagedFieldsEntry, path: FieldPath): Tree {
  const found = at(treeOf(entry), path);
  return found === undefined ? {} : nested(path, found);
}

function at(tree: Tree, path: FieldPath): Tree | undefined {
  return path.reduce<Tree | undefined>((found, step) => found?.[step], tree);
}

function isMember(tree: Tree, path: FieldPath): boolean {
  const found = at(tree, path);
  return found !== undefined && (Object.hasOwn(found, '.') || Object.keys(found).length === 0);
}

function nested(path: FieldPath, tree: Tree): Tree {
  return path.reduceRight<Tree>((inner, step) => ({ [step]: inner }), tree);
}

/** A field that is meant itself in one tree and has something below it in the other keeps both. */
function union(one: Tree, other: Tree): Tree {
  const steps = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    steps.map((step) => {
      const [left, right] = [one[step], other[step]];
      if (left === undefined || right === undefined) return [step, left ?? right ?? {}];
      const isLeaf = Object.keys(left).length === 0 || Object.keys(right).length === 0;
      const both = union(left, right);
      return [step, isLeaf && Object.keys(both).length > 0 ? { '.': {}, ...both } : both];
    }),
  );
}

/** Undefined if nothing is left: an empty tree would mean the field itself. */
function without(tree: Tree, [step = '', ...rest]: FieldPath): Tree | undefined {
  const { [step]: child, ...others } = tree;
  if (child === undefined) return tree;
  const left = rest.length === 0 ? undefined : without(child, rest);
  const all = left === undefined ? others : { ...others, [step]: left };
  return Object.keys(all).length === 0 ? undefined : all;
}
