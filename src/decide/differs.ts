/**
 * How the API server tells the items of a list apart, by the name of the list (`x-kubernetes-list-map-keys` of the
 * built-in kinds that Knudge writes). Lists that are not here are atomic: they belong to one writer as a whole.
 */
const listKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['containers', ['name']],
  ['env', ['name']],
  ['volumes', ['name']],
  ['volumeMounts', ['mountPath']],
  ['ownerReferences', ['uid']],
  ['conditions', ['type']],
  ['ports', ['containerPort', 'port', 'protocol']],
]);

/**
 * Whether the live object lacks anything of the desired one. What others added (defaults, a sidecar, a label) is no
 * difference; the spec hash among the annotations tells when a field is no longer desired (rule R4).
 */
export function differs(desired: unknown, live: unknown): boolean {
  return !contains(live, desired, '');
}

function contains(live: unknown, desired: unknown, field: string): boolean {
  if (desired === undefined || desired === null) return true;
  if (Array.isArray(desired)) return Array.isArray(live) && containsList(live, desired, listKeys.get(field));
  if (typeof desired !== 'object') return live === desired;
  if (typeof live !== 'object' || live === null) return Object.keys(desired).length === 0;
  const fields = new Map(Object.entries(live));
  return Object.entries(desired).every(([key, value]) => contains(fields.get(key), value, key));
}

function containsList(
  live: readonly unknown[],
  desired: readonly unknown[],
  keys: readonly string[] | undefined,
): boolean {
  if (keys === undefined) {
    return live.length === desired.length && desired.every((item, index) => contains(live[index], item, ''));
  }
  return desired.every((item) => live.some((other) => sameItem(item, other, keys) && contains(other, item, '')));
}

function sameItem(a: unknown, b: unknown, keys: readonly string[]): boolean {
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  return keys.every((key) => !left.has(key) || left.get(key) === right.get(key));
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
