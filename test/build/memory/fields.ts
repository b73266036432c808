/** A JSON object, frozen to readers. */
export type Fields = Readonly<Record<string, unknown>>;

/** Leaf values by path; a path is a JSON text of its steps: `f:<field>`, or `k:<keys>` for an item of a keyed list. */
type Leaves = Map<string, unknown>;

/** Which field manager wrote which leaves, by `<manager> <operation>[ <subresource>]`. */
export type Owners = ReadonlyMap<string, ReadonlySet<string>>;

export interface Written {
  readonly fields: Fields;
  readonly owners: Owners;
}

/** Lists whose items the API server tells apart by a key; every other list is one value. */
const listKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  ownerReferences: ['uid'],
  conditions: ['type'],
  ports: ['containerPort', 'port', 'protocol'],
};

/** As an update does it: the fields become these; who changes a leaf owns it from now on. */
export function updateFields(before: Written, next: Fields, owner: string): Written {
  const [old, leaves] = [flatten(before.fields), flatten(next)];
  const changed = [...leaves.keys()].filter((path) => !same(old.get(path), leaves.get(path)));
  const owners = new Map<string, Set<string>>();
  for (const [name, paths] of before.owners) {
    owners.set(name, new Set([...paths].filter((path) => leaves.has(path) && !changed.includes(path))));
  }
  owners.set(owner, new Set([...(owners.get(owner) ?? []), ...changed]));
  return { fields: next, owners: withoutEmpty(owners) };
}

/** As a forced server-side apply does it: what the owner applied before and no longer does goes, unless others want it. */
export function applyFields(before: Written, desired: Fields, owner: string): Written {
  const [leaves, wanted] = [flatten(before.fields), flatten(desired)];
  const others = [...before.owners].filter(([name]) => name !== owner);
  for (const path of before.owners.get(owner) ?? []) {
    if (!wanted.has(path) && !others.some(([, paths]) => paths.has(path))) leaves.delete(path);
  }
  const owners = new Map<string, ReadonlySet<string>>(
    others.map(([name, paths]) => [
      name,
      new Set([...paths].filter((path) => !wanted.has(path) || same(leaves.get(path), wanted.get(path)))),
    ]),
  );
  for (const [path, value] of wanted) leaves.set(path, value);
  owners.set(owner, new Set(wanted.keys()));
  return { fields: unflatten(leaves), owners: withoutEmpty(owners) };
}

/** What is at these paths and below them belongs to this owner and to nobody else. */
export function ownedAlone({ fields, owners }: Written, paths: readonly (readonly string[])[], owner: string): Written {
  const isTaken = (leaf: string): boolean => {
    const steps = stepsOf(leaf);
    return paths.some((path) => path.every((step, index) => steps[index] === step));
  };
  const taken = [...flatten(fields).keys()].filter(isTaken);
  const left = [...owners].map(([name, own]) => [name, new Set([...own].filter((leaf) => !isTaken(leaf)))] as const);
  const own = new Set([...(owners.get(owner) ?? []), ...taken]);
  return { fields, owners: withoutEmpty(new Map([...left, [owner, own]])) };
}

/** Whether two values of JSON are equal, whatever the order of their keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [present(a), present(b)];
  return left.size === right.size && [...left].every(([key, value]) => right.has(key) && same(value, right.get(key)));
}

function withoutEmpty(owners: Owners): Owners {
  return new Map([...owners].filter(([, paths]) => paths.size > 0));
}

function present(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, field]) => field !== undefined && field !== null));
}

function flatten(value: unknown, path: readonly string[] = [], leaves: Leaves = new Map()): Leaves {
  const children = childrenOf(value, path.at(-1)?.slice(2) ?? '');
  if (children === undefined || children.size === 0) {
    if (value !== undefined && value !== null && path.length > 0) leaves.set(JSON.stringify(path), value);
    return leaves;
  }
  for (const [step, child] of children) flatten(child, [...path, step], leaves);
  return leaves;
}

/** By step; undefined for what is one value. */
function childrenOf(value: unknown, field: string): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map([...present(value)].map(([key, child]) => [`f:${key}`, child]));
  const keys = listKeys[field];
  if (keys === undefined) return undefined;
  return new Map(value.map((item: unknown) => [`k:${keyOf(item, keys)}`, item]));
}

function keyOf(item: unknown, keys: readonly string[]): string {
  const fields = present(typeof item === 'object' && item !== null ? item : {});
  const found = keys.map((key) => [key, fields.get(key) ?? (key === 'protocol' ? 'TCP' : undefined)]);
  return JSON.stringify(Object.fromEntries(found));
}

/** A branch of the tree that leaves are put back into. */
type Branch = Map<string, unknown>;

function unflatten(leaves: Leaves): Fields {
  const root: Branch = new Map();
  for (const [path, value] of leaves) plant(root, stepsOf(path), value);
  return Object.fromEntries([...root].map(([step, child]) => [step.slice(2), grown(child)]));
}

function stepsOf(path: string): readonly string[] {
  const steps: unknown = JSON.parse(path);
  return Array.isArray(steps) ? steps.map(String) : [];
}

function plant(branch: Branch, [step = '', ...rest]: readonly string[], value: unknown): void {
  const there = branch.get(step);
  if (rest.length === 0) {
    if (!(there instanceof Map)) branch.set(step, value);
    return;
  }
  const next: Branch = there instanceof Map ? there : new Map();
  branch.set(step, next);
  plant(next, rest, value);
}

function grown(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const children: readonly (readonly [string, unknown])[] = [...value];
  if (children.some(([step]) => step.startsWith('k:'))) return children.map(([, child]) => grown(child));
  return Object.fromEntries(children.map(([step, child]) => [step.slice(2), grown(child)]));
}
