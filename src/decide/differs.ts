import { canonical } from './canonical.ts';

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

/** Maps that belong to one writer as a whole (`x-kubernetes-map-type: atomic`): a key more is another selection. */
const atomicMaps: ReadonlySet<string> = new Set(['selector']);

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
  if (atomicMaps.has(field) && fields.size !== Object.keys(desired).length) return false;
  return Object.entries(desired).every(([key, value]) => contains(fields.get(key), value, key));
}

/**
 * Whether an apply of the desired object would be refused because of what others put into the live one. Ports must have
 * names of their own, and an apply sets ours beside theirs (their number tells them apart, and theirs is another); a
 * strategy other than ours leaves its parameters beside ours, which takes none (both measured on kube-apiserver 1.35: 422).
 * What was made again by somebody may also differ in what nobody may change.
 */
export function isBlocked(desired: unknown, live: unknown): boolean {
  if (Array.isArray(desired)) return desired.some((item, index) => isBlocked(item, counterpart(item, live, index)));
  const fields = fieldsOf(live);
  return [...fieldsOf(desired)].some(([key, value]) => {
    const other = fields.get(key);
    if (key === 'ports' && hasRival(value, other)) return true;
    if (isFixed(key, value) && other !== undefined && canonical(value) !== canonical(other)) return true;
    if (key === 'strategy' && fieldsOf(value).get('type') === 'Recreate' && fieldsOf(other).has('rollingUpdate'))
      return true;
    return isBlocked(value, other);
  });
}

/**
 * Whether a mount under one of these folders is there and no longer desired. An apply takes away what was its own alone;
 * whoever made the object again from a copy has all of it as his own, and a Pod whose mount has lost its Secret never starts.
 */
export function hasLeftover(desired: unknown, live: unknown, folders: readonly string[]): boolean {
  if (Array.isArray(desired))
    return desired.some((item, index) => hasLeftover(item, counterpart(item, live, index), folders));
  const fields = fieldsOf(live);
  return [...fieldsOf(desired)].some(([key, value]) => {
    const other = fields.get(key);
    if (key !== 'volumeMounts' || !Array.isArray(value) || !Array.isArray(other))
      return hasLeftover(value, other, folders);
    const paths = new Set(value.map((mount) => fieldsOf(mount).get('mountPath')));
    return other.some((mount) => {
      const path = fieldsOf(mount).get('mountPath');
      return folders.some((folder) => folder === path) && !paths.has(path);
    });
  });
}

/** Whether a Service has addresses at all, and whose Pods a Deployment counts, is settled when they are made. */
function isFixed(key: string, desired: unknown): boolean {
  return key === 'clusterIP' || (key === 'selector' && fieldsOf(desired).has('matchLabels'));
}

/** The live item that a desired one is applied to: containers by their name, others by their place. */
function counterpart(item: unknown, live: unknown, index: number): unknown {
  if (!Array.isArray(live)) return undefined;
  const name = fieldsOf(item).get('name');
  return name === undefined ? live[index] : live.find((other) => fieldsOf(other).get('name') === name);
}

function hasRival(desired: unknown, live: unknown): boolean {
  if (!Array.isArray(desired) || !Array.isArray(live)) return false;
  const keys = listKeys.get('ports') ?? [];
  const names = new Set(desired.map((item) => fieldsOf(item).get('name')));
  const foreign = live.filter((other) => !desired.some((item) => sameItem(item, other, keys)));
  return foreign.some((other) => names.has(fieldsOf(other).get('name')) || !fieldsOf(other).has('name'));
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
