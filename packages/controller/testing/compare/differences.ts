import { canonical } from '../../decide/canonical.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';
import type { Trace } from '../trace.ts';
import { nameOf } from '../trace-words.ts';
import type { Mask } from './mask.ts';
import { type Names, namesIn } from './names.ts';

export interface Side {
  readonly trace: Trace;
  readonly objects: readonly KubeObject[];
  /** All that there was, where only some of it is compared: a uid of another object is still that of something. */
  readonly among?: readonly KubeObject[];
}

/** One sentence for each object that only one side has, or that is not the same on both. */
export function compare(one: Side, other: Side, masks: readonly Mask[]): readonly string[] {
  // In one process an object that nobody wrote is the same value in both: most of a cluster is that.
  const [mine, theirs] = [new Set(one.objects), new Set(other.objects)];
  const left = masked(one, masks, theirs);
  const right = masked(other, masks, mine);
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((name) => {
    const [first, second] = [left.get(name), right.get(name)];
    if (second === undefined) return [`${name} is not there`];
    if (first === undefined) return [`${name} is there and should not be`];
    const where = firstDifference(first, second, '');
    return where === undefined ? [] : [`${name} differs at ${where}`];
  });
}

/** Each object by its name, as it is compared; without those that need no look. */
export function masked(
  { trace, objects, among = objects }: Side,
  masks: readonly Mask[],
  without: ReadonlySet<KubeObject> = new Set(),
): ReadonlyMap<string, unknown> {
  const masking = maskingOf(trace, among, masks);
  const shown = objects.filter((object) => !without.has(object) && !masks.some((mask) => mask.object?.(object)));
  return new Map(shown.map((object) => [maskText(nameOf(refOf(object)), masking.names, masks), masking.shown(object)]));
}

interface Masking {
  readonly names: Names;
  readonly shown: (object: KubeObject) => unknown;
}

interface Known {
  readonly trace: Trace;
  readonly masks: readonly Mask[];
  readonly masking: Masking;
}

/** For the objects of one moment: the run without faults is compared with thousands. */
const maskings = new WeakMap<readonly KubeObject[], Known>();

function maskingOf(trace: Trace, among: readonly KubeObject[], masks: readonly Mask[]): Masking {
  const known = maskings.get(among);
  if (known?.trace === trace && known.masks === masks) return known.masking;
  const masking = createMasking(trace, among, masks);
  maskings.set(among, { trace, masks, masking });
  return masking;
}

function createMasking(trace: Trace, among: readonly KubeObject[], masks: readonly Mask[]): Masking {
  const names = namesIn(trace, among);
  const known = new Map<KubeObject, unknown>();
  const shown = (object: KubeObject): unknown => {
    const value = known.get(object) ?? maskObject(object, names, masks);
    known.set(object, value);
    return value;
  };
  return { names, shown };
}

function maskObject(object: KubeObject, names: Names, masks: readonly Mask[]): unknown {
  const own = masks.filter(({ only }) => only === undefined || only(object));
  const copy = structuredClone(object);
  for (const { paths = [], shown } of own) for (const path of paths) maskPath(copy, path, shown);
  const keys = new Map(own.flatMap(({ keys: named = [], shown }) => named.map((key) => [key, shown] as const)));
  const unordered = new Set(own.flatMap(({ lists = [] }) => lists));
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return maskText(value, names, own);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, field(key, inner)]));
  };
  const field = (key: string, value: unknown): unknown => {
    if (keys.has(key)) return keys.get(key)?.(value);
    if (!unordered.has(key)) return walk(value);
    if (typeof value === 'string') return walk(asJson(value));
    return Array.isArray(value) ? sorted(value.map(walk)) : walk(value);
  };
  return walk(copy);
}

/** A file of a ConfigMap whose text is JSON, as a value: its lists can be in any order too. */
function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function sorted(list: readonly unknown[]): readonly unknown[] {
  return list.toSorted((one, other) => (canonical(one) < canonical(other) ? -1 : 1));
}

function maskText(text: string, names: Names, masks: readonly Mask[]): string {
  return masks.reduce((changed, mask) => mask.text?.(changed, names) ?? changed, text);
}

function maskPath(value: object, [key = '', ...rest]: readonly string[], shown: Mask['shown']): void {
  const inner: unknown = Reflect.get(value, key);
  if (inner === undefined) return;
  if (rest.length > 0) {
    if (typeof inner === 'object' && inner !== null) maskPath(inner, rest, shown);
    return;
  }
  if (shown === undefined) Reflect.deleteProperty(value, key);
  else Reflect.set(value, key, shown(inner));
}

/** Where two values begin to differ, and how. An absent field and an empty object are the same. */
function firstDifference(one: unknown, other: unknown, path: string): string | undefined {
  if (canonical(one) === canonical(other)) return undefined;
  const [left, right] = [fieldsOf(one), fieldsOf(other)];
  if (left !== undefined && right !== undefined) {
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      const found = firstDifference(left.get(key), right.get(key), `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return `${path.slice(1)}: ${shorten(one)} and ${shorten(other)}`;
}

/** An absent object counts as an empty one: labels that are masked away leave `{}`. */
function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (value === undefined) return new Map();
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}

function shorten(value: unknown): string {
  const text = canonical(value);
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`;
}
