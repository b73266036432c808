import type { Shape } from '../domain/shape.ts';
import { asStored, canonical } from './canonical.ts';
import { fieldsOf, sameItem } from './fields-of.ts';
import { itemIn, shapeIn, shapeOf } from './shapes.ts';

/**
 * Whether the live object lacks anything of the desired one. What others added (defaults, a sidecar, a label) is no
 * difference; the spec hash among the annotations shows when a field is no longer desired (rule R4). `shape` is that of the
 * value where it is not a whole object.
 */
export function differs(desired: unknown, live: unknown, shape: Shape = shapeOf(desired)): boolean {
  return !contains(live, desired, shape);
}

function contains(live: unknown, desired: unknown, shape: Shape): boolean {
  if (desired === undefined || desired === null) return true;
  if (Array.isArray(desired)) return Array.isArray(live) && containsList(live, desired, shape);
  if (typeof desired !== 'object')
    return live === asStored(desired) || (live === undefined && shape.unstored === desired);
  if (typeof live !== 'object' || live === null) return Object.keys(desired).length === 0;
  if (shape.isWhole) return canonical(live) === canonical(desired);
  const fields = fieldsOf(live);
  return Object.entries(desired).every(([key, value]) => contains(fields.get(key), value, shapeIn(shape, key)));
}

/** Whether the live object was made by somebody with another of what nobody may change once it is there. */
export function isOtherwiseFixed(desired: unknown, live: unknown): boolean {
  const fields = fieldsOf(live);
  const wanted = fieldsOf(desired);
  if (wanted.get('immutable') === true && fields.get('immutable') === true)
    return differs(wanted.get('data'), fields.get('data'), {});
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

function containsList(live: readonly unknown[], desired: readonly unknown[], shape: Shape): boolean {
  const { keys } = shape;
  const inItems = itemIn(shape);
  if (keys === undefined) {
    return live.length === desired.length && desired.every((item, index) => contains(live[index], item, inItems));
  }
  return desired.every((item) => live.some((other) => sameItem(item, other, keys) && contains(other, item, inItems)));
}
