import { canonical } from './canonical.ts';
import { listMapKeys } from './list-keys.ts';

/** What tells the items of a list apart, by the name of the list. Lists that are not here are atomic: they belong to one writer as a whole. */
export const listKeys: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(listMapKeys));

/** Maps that belong to one writer as a whole (`x-kubernetes-map-type: atomic`): a key more is another selection. */
const atomicMaps: ReadonlySet<string> = new Set(['selector']);

/** Fields whose zero value is there to overrule somebody's own: the API server does not store it (`omitempty`). */
const unstoredZeroes: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['paused', false],
  ['minReadySeconds', 0],
  ['publishNotReadyAddresses', false],
]);

/**
 * Whether the live object lacks anything of the desired one. What others added (defaults, a sidecar, a label) is no
 * difference; the spec hash among the annotations tells when a field is no longer desired (rule R4). `field` is the name that both stand under.
 */
export function differs(desired: unknown, live: unknown, field = ''): boolean {
  return !contains(live, desired, field);
}

function contains(live: unknown, desired: unknown, field: string): boolean {
  if (desired === undefined || desired === null) return true;
  if (Array.isArray(desired)) return Array.isArray(live) && containsList(live, desired, listKeys.get(field));
  if (typeof desired !== 'object')
    return live === desired || (live === undefined && unstoredZeroes.get(field) === desired);
  if (typeof live !== 'object' || live === null) return Object.keys(desired).length === 0;
  const fields = new Map(Object.entries(live));
  if (atomicMaps.has(field) && fields.size !== Object.keys(desired).length) return false;
  return Object.entries(desired).every(([key, value]) => contains(fields.get(key), value, key));
}

/** Whether the live object was made by somebody with another of what nobody may change once it is there. */
export function isOtherwiseFixed(desired: unknown, live: unknown): boolean {
  const fields = fieldsOf(live);
  const wanted = fieldsOf(desired);
  if (wanted.get('immutable') === true && fields.get('immutable') === true)
    return differs(wanted.get('data'), fields.get('data'), 'data');
  return [...wanted].some(([key, value]) => {
    const other = fields.get(key);
    if (isFixed(key, value)) return other !== undefined && canonical(value) !== canonical(other);
    return isOtherwiseFixed(value, other);
  });
}

/** Whether a Service has addresses at all, and whose Pods a Deployment counts, is settled when they are made. */
function isFixed(key: string, desired: unknown): boolean {
  return key === 'clusterIP' || (key === 'selector' && fieldsOf(desired).has('matchLabels'));
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

/** Whether two items of a list are one to the API server. */
export function sameItem(a: unknown, b: unknown, keys: readonly string[]): boolean {
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  return keys.every((key) => !left.has(key) || left.get(key) === right.get(key));
}

/** The fields of what is an object; of anything else none. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
