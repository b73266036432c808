import { compareElements } from './path-element.ts';

/**
 * The fields of an object that a manager owns, as a tree. Its edges are path elements as `fieldsV1` writes them:
 * `f:name`, `k:{"name":"web"}`, `v:"a"`. A node is a member itself or has children that are, or both.
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldSet>;
}

export type Path = readonly string[];

export const noFields: FieldSet = { member: false, children: new Map() };

export function isEmpty({ member, children }: FieldSet): boolean {
  return !member && children.size === 0;
}

export function setOf(paths: readonly Path[]): FieldSet {
  const root = newNode();
  for (const path of paths) {
    let node = root;
    for (const element of path) {
      const child = node.children.get(element) ?? newNode();
      node.children.set(element, child);
      node = child;
    }
    node.member = true;
  }
  return root;
}

export function hasPath(set: FieldSet, path: Path): boolean {
  return path.reduce((node, element) => node.children.get(element) ?? noFields, set).member;
}

/** All fields of both. */
export function union(one: FieldSet, other: FieldSet): FieldSet {
  if (isEmpty(other) || one === other) return one;
  if (isEmpty(one)) return other;
  const children = new Map(one.children);
  for (const [element, child] of other.children) {
    const mine = children.get(element);
    children.set(element, mine === undefined ? child : union(mine, child));
  }
  return { member: one.member || other.member, children };
}

/** The fields that are in both. */
export function intersection(one: FieldSet, other: FieldSet): FieldSet {
  if (isEmpty(one) || isEmpty(other)) return noFields;
  return {
    member: one.member && other.member,
    children: mapped(one, (child, element) => intersection(child, other.children.get(element) ?? noFields)),
  };
}

/** The fields that are only in the first; a child stays if only its parent is in the other. */
export function difference(one: FieldSet, other: FieldSet): FieldSet {
  if (isEmpty(other)) return one;
  return {
    member: one.member && !other.member,
    children: mapped(one, (child, element) => difference(child, other.children.get(element) ?? noFields)),
  };
}

/** The fields that are only in the first and under no member of the other. */
export function outside(one: FieldSet, other: FieldSet): FieldSet {
  if (other.member) return noFields;
  if (isEmpty(other)) return one;
  return {
    member: one.member,
    children: mapped(one, (child, element) => outside(child, other.children.get(element) ?? noFields)),
  };
}

/** The members; those of one level come before those under them, as the server lists conflicts. */
export function pathsOf(set: FieldSet, prefix: Path = []): readonly Path[] {
  const children = [...set.children].sort(([one], [other]) => compareElements(one, other));
  return [
    ...children.filter(([, child]) => child.member).map(([element]) => [...prefix, element]),
    ...children.flatMap(([element, child]) => pathsOf(child, [...prefix, element])),
  ];
}

interface Node {
  member: boolean;
  readonly children: Map<string, Node>;
}

function newNode(): Node {
  return { member: false, children: new Map() };
}

function mapped({ children }: FieldSet, change: (child: FieldSet, element: string) => FieldSet) {
  const result = new Map<string, FieldSet>();
  for (const [element, child] of children) {
    const changed = change(child, element);
    if (!isEmpty(changed)) result.set(element, changed);
  }
  return result;
}
