import { bases, crds, statuses } from './bases.ts';
import {
  type Base,
  type Fields,
  type MalformedResource,
  type Path,
  pathText,
  valueAt,
  withValue,
} from './malformed-resource.ts';
import { type Bounded, ofWrongType, outOfBounds, type Wrong } from './wrong-values.ts';

/**
 * Every field of a schema, made wrong in every way that the schema forbids. A field is made wrong in one good object of
 * its version only: the first that has it, or else the first that has what it is in.
 */
export function malformedFields(part: 'spec' | 'status'): readonly MalformedResource[] {
  return Object.entries(crds).flatMap(([kind, { spec }]) =>
    spec.versions
      .filter(({ served }) => served)
      .flatMap(({ name, schema }) => {
        const own = bases
          .filter((base) => base.kind === kind && base.name.startsWith(`${kind} ${name} `))
          .map((base) => (part === 'spec' ? base : withStatus(base)));
        const root = (schema.openAPIV3Schema as Bounded).properties?.[part];
        return root === undefined ? [] : fieldsOf(own, root, [part]);
      }),
  );
}

function withStatus(base: Base): Base {
  return { ...base, object: { ...base.object, status: statuses[base.kind] } };
}

/** What is wrong at this place, and at all places below it. */
function fieldsOf(own: readonly Base[], schema: Bounded, path: Path): readonly MalformedResource[] {
  const [first] = own.filter(({ object }) => valueAt(object, path) !== undefined);
  const [parent] = own.filter(({ object }) => isFields(valueAt(object, path.slice(0, -1))));
  const base = first ?? parent;
  if (base === undefined) return [];
  const children = Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
    fieldsOf(own, child, [...path, name]),
  );
  const items = schema.items === undefined ? [] : fieldsOf(own, schema.items, [...path, 0]);
  const values = schema.additionalProperties;
  const [key] = Object.keys((valueAt(base.object, path) ?? {}) as Fields);
  const entries = values === undefined || key === undefined ? [] : fieldsOf(own, values, [...path, key]);
  return [
    ...valuesOf(base, schema, path),
    ...missing(base, schema, path),
    ...unknown(base, schema, path),
    ...children,
    ...items,
    ...entries,
  ];
}

function isFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function valuesOf(base: Base, schema: Bounded, path: Path): readonly MalformedResource[] {
  const good = valueAt(base.object, path);
  const wrong = [...ofWrongType(schema), ...outOfBounds(schema, good)];
  const make = ([what, value]: Wrong): MalformedResource =>
    rowOf(base, path, { what, object: withValue(base.object, path, value), naming: [pathText(path)] });
  const isItem = typeof path.at(-1) === 'number';
  return [...wrong.map(make), ...(isItem ? [] : [nothing(base, path)])];
}

/** Null is read as if the field were not there: the API server prunes it where a schema is not nullable. */
function nothing(base: Base, path: Path): MalformedResource {
  const object = withValue(base.object, path, null);
  const row = rowOf(base, path, { what: 'null', object, naming: [] });
  return { ...row, expected: { is: 'absent', as: withValue(base.object, path, undefined) } };
}

function missing(base: Base, { required = [] }: Bounded, path: Path): readonly MalformedResource[] {
  if (valueAt(base.object, path) === undefined) return [];
  return required.map((name) =>
    rowOf(base, [...path, name], {
      what: 'missing',
      object: withValue(base.object, [...path, name], undefined),
      naming: [pathText([...path, name])],
    }),
  );
}

function unknown(base: Base, { properties }: Bounded, path: Path): readonly MalformedResource[] {
  if (properties === undefined || valueAt(base.object, path) === undefined) return [];
  return ['unknownField', 'constructor', 'Spec'].map((name) => {
    const object = withValue(base.object, [...path, name], { deep: [1, { deeper: 'x' }] });
    const row = rowOf(base, [...path, name], { what: 'unknown', object, naming: [] });
    return { ...row, expected: { is: 'pruned', naming: [pathText([...path, name])] } };
  });
}

function rowOf(
  base: Base,
  path: Path,
  { what, object, naming }: { readonly what: string; readonly object: Fields; readonly naming: readonly string[] },
): MalformedResource {
  const field = pathText(path);
  return {
    name: `${base.name}: ${field} is ${what}`,
    base: base.name,
    object,
    field,
    expected: { is: 'refused', naming },
  };
}
