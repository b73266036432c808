import { knownKind } from '../domain/known-kinds.ts';
import type { Fields, Shape } from '../domain/shape.ts';
import { structOfKind } from './builtin-kinds.ts';
import { structs } from './builtin-shapes.ts';
import { fieldsOf } from './fields-of.ts';

/** What every kind has, and all that is known of a kind whose schema Knudge has not seen. */
const plain: Fields = { metadata: 'ObjectMeta' };

const structOf = new Map<string, string>(Object.entries(structOfKind));
const byName = new Map<string, Fields>(Object.entries(structs));

/**
 * The shape of an object, by its kind: of a built-in kind that kube-api serves, or of a custom resource whose definition is in crds/.
 * In any other kind each list belongs to one writer as a whole.
 */
export function shapeOf(object: unknown): Shape {
  const fields = fieldsOf(object);
  const [apiVersion, kind] = [String(fields.get('apiVersion')), String(fields.get('kind'))];
  const own = knownKind({ apiVersion, kind })?.shape ?? structOf.get(`${apiVersion}/${kind}`) ?? {};
  return { of: { ...plain, ...within(shaped(own)) } };
}

/** The shape of a field of what has this shape. */
export function shapeIn(shape: Shape, field: string): Shape {
  const fields = within(shape);
  // A key of a map may be called as what every object inherits: constructor.
  return shaped((Object.hasOwn(fields, field) ? fields[field] : fields['*']) ?? {});
}

/** The shape of the items of a list. */
export function itemIn({ of }: Shape): Shape {
  return of === undefined ? {} : { of };
}

function within({ of = {} }: Shape): Fields {
  return typeof of === 'string' ? (byName.get(of) ?? {}) : of;
}

function shaped(shape: Shape | string): Shape {
  return typeof shape === 'string' ? { of: shape } : shape;
}
