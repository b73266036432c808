import type { FieldPath } from '../domain/kube-object.ts';
import type { Shape } from '../domain/shape.ts';
import { fieldsOf, sameItem } from './fields-of.ts';
import { itemIn, shapeIn, shapeOf } from './shapes.ts';

/**
 * What keeps a child from doing its work wherever somebody has set it and Knudge has not, by the field that it is in. Where a Pod may
 * run is not among it: a person decides that, and the status reports a Pod that fits no node.
 */
const breaking: ReadonlyMap<string, readonly string[]> = new Map([
  ['containers', ['readinessProbe', 'livenessProbe', 'startupProbe']],
  ['strategy', ['rollingUpdate']],
  ['spec', ['externalIPs', 'sessionAffinityConfig']],
]);

/**
 * What others have put into the live object and what must not stay there: an apply leaves it, since it is theirs. Beside the
 * fields above those are ports that have the name of one of ours, which the API server refuses (422, measured on
 * kube-apiserver 1.35), and mounts under our own folders, with the volumes that nothing else mounts: a Pod whose mount has lost its
 * Secret never starts.
 */
export function straysOf(desired: unknown, live: unknown, folders: readonly string[]): readonly FieldPath[] {
  return within({ desired, live, field: '', shape: shapeOf(desired), path: [] }, folders);
}

interface At {
  readonly desired: unknown;
  readonly live: unknown;
  /** The name of the list or field. */
  readonly field: string;
  readonly shape: Shape;
  readonly path: FieldPath;
}

function within(at: At, folders: readonly string[]): readonly FieldPath[] {
  const { desired, live, field, shape, path } = at;
  if (Array.isArray(desired)) return withinList({ ...at, desired }, folders);
  const [wanted, there] = [fieldsOf(desired), fieldsOf(live)];
  const own = (breaking.get(field) ?? []).filter((key) => !wanted.has(key) && isSet(there.get(key)));
  const deeper = [...wanted].flatMap(([key, value]) =>
    within(
      { desired: value, live: there.get(key), field: key, shape: shapeIn(shape, key), path: [...path, `f:${key}`] },
      folders,
    ),
  );
  const volumes = volumesLeft({ wanted, there, path }, folders);
  return [...own.map((key) => [...path, `f:${key}`]), ...volumes, ...deeper];
}

type Fields = ReturnType<typeof fieldsOf>;

/** In the spec of a Pod the volumes that only mounts under our folders are of which do not stay. */
function volumesLeft(
  { wanted, there, path }: { readonly wanted: Fields; readonly there: Fields; readonly path: FieldPath },
  folders: readonly string[],
): readonly FieldPath[] {
  const own = mountsIn(wanted).map(({ container, mountPath }) => `${container} ${mountPath}`);
  const ours = itemsOf(wanted.get('containers')).map(nameOf);
  const mounts = mountsIn(there).map(({ container, mountPath, volume }) => ({
    volume,
    goes: ours.includes(container) && folders.includes(mountPath) && !own.includes(`${container} ${mountPath}`),
  }));
  const names = itemsOf(wanted.get('volumes')).map(nameOf);
  return itemsOf(there.get('volumes')).flatMap((volume) => {
    const uses = mounts.filter((mount) => mount.volume === nameOf(volume));
    const goes = !names.includes(nameOf(volume)) && uses.length > 0 && uses.every((use) => use.goes);
    return goes ? [[...path, 'f:volumes', stepTo(volume, ['name'])]] : [];
  });
}

function mountsIn(spec: Fields) {
  const containers = ['initContainers', 'containers'].flatMap((list) => itemsOf(spec.get(list)));
  return containers.flatMap((container) =>
    itemsOf(fieldsOf(container).get('volumeMounts')).map((mount) => ({
      container: nameOf(container),
      mountPath: String(fieldsOf(mount).get('mountPath')),
      volume: nameOf(mount),
    })),
  );
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(item: unknown): string {
  return String(fieldsOf(item).get('name'));
}

function withinList(
  { desired, live, field, shape, path }: At & { readonly desired: readonly unknown[] },
  folders: readonly string[],
): readonly FieldPath[] {
  const { keys } = shape;
  if (keys === undefined || !Array.isArray(live)) return [];
  const others = live.filter((item) => !desired.some((own) => sameItem(own, item, keys)));
  const inTheWay = others.filter((item) =>
    field === 'ports' ? isRival(item, desired) : field === 'volumeMounts' && isUnder(item, folders),
  );
  const deeper = desired.flatMap((item) => {
    const counterpart = live.find((other) => sameItem(item, other, keys));
    const below = { field, shape: itemIn(shape), path: [...path, stepTo(item, keys)] };
    return within({ desired: item, live: counterpart, ...below }, folders);
  });
  return [...inTheWay.map((item) => [...path, stepTo(item, keys)]), ...deeper];
}

/** Of several ports each has a name of its own. */
function isRival(port: unknown, desired: readonly unknown[]): boolean {
  const name = fieldsOf(port).get('name');
  return name === undefined || desired.some((own) => fieldsOf(own).get('name') === name);
}

function isUnder(mount: unknown, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === fieldsOf(mount).get('mountPath'));
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** An item of a keyed list, as managedFields name it. */
function stepTo(item: unknown, keys: readonly string[]): string {
  const fields = fieldsOf(item);
  const named = keys.filter((key) => fields.has(key)).map((key) => [key, fields.get(key)]);
  return `k:${JSON.stringify(Object.fromEntries(named))}`;
}
