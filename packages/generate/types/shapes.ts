import type { ObjectRef } from '../../controller/domain/kube-object.ts';
import type { Fields, Shape } from '../../controller/domain/shape.ts';
import { createKinds } from '../../kube-api/schema/kinds.ts';
import type { Schema } from '../../kube-api/schema/schema.ts';
import type { Crd } from '../project.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** What is asked about the structs of a schema. */
export interface Structs {
  /** The name under which the shape of this struct stands elsewhere; undefined for one that is written where it is used. */
  readonly nameOf: (struct: Schema) => string | undefined;
  /** The value that the API server does not store in a field of a struct. */
  readonly unstored: (struct: Schema, field: string) => Shape['unstored'];
}

const inPlace: Structs = { nameOf: () => undefined, unstored: () => undefined };

/** The shapes of these kinds as far as they are defined here and have one, by `apiVersion/kind`. */
export function shapesIn(crds: readonly Crd[], kinds: readonly Kind[]): ReadonlyMap<string, Shape> {
  const served = createKinds();
  for (const { definition } of crds) served.define(definition);
  const shapes = kinds.flatMap(({ apiVersion, kind }) => {
    const found = served.ofKind(apiVersion, kind);
    const of = found?.custom === true ? contentOf(found.schema, inPlace) : {};
    return Object.keys(of).length === 0 ? [] : [[`${apiVersion}/${kind}`, { of }] as const];
  });
  return new Map(shapes);
}

/** The shapes of what a kind holds besides its metadata, and besides its status, which only its controller writes. */
export function contentOf({ properties = {} }: Schema, structs: Structs): Fields {
  const { metadata: _, status: __, ...content } = properties;
  return fieldsOf({ properties: content }, structs, []);
}

/**
 * The shapes of the fields of a struct; one that holds itself is followed once. `above` are the structs around it. The API server adds
 * to two kinds of selections itself: to the nodes of a Pod those of its namespace, and to the labels beside `matchLabelKeys` theirs.
 */
export function fieldsOf(struct: Schema, structs: Structs, above: readonly Schema[]): Fields {
  const within = [...above, struct];
  const { properties = {}, additionalProperties } = struct;
  const any = typeof additionalProperties === 'object' ? { '*': additionalProperties } : {};
  const fields = Object.entries({ ...properties, ...any }).map(([name, schema]) => {
    const unstored = structs.unstored(struct, name);
    const isWhole = isSelection(schema) && name !== 'nodeSelector' && !('matchLabelKeys' in properties);
    const shape = isWhole ? { isWhole } : shapeOf(schema, structs, within);
    return [name, { ...shape, ...(unstored !== undefined && { unstored }) }] as const;
  });
  const told = fields.filter(([, shape]) => Object.keys(shape).length > 0);
  return Object.fromEntries(told.map(([name, shape]) => [name, briefly(shape)]));
}

function briefly({ of, ...rest }: Shape): Shape | string {
  if (of === undefined) return rest;
  return typeof of === 'string' && Object.keys(rest).length === 0 ? of : { ...rest, of };
}

function shapeOf(schema: Schema, structs: Structs, above: readonly Schema[]): Shape {
  const { items } = schema;
  if (items !== undefined) {
    const type = schema['x-kubernetes-list-type'];
    const keys = type === 'set' ? [] : type === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined;
    return { ...(keys && { keys }), ...partsOf(items, structs, above) };
  }
  return partsOf(schema, structs, above);
}

/**
 * Whether a map of one writer (`x-kubernetes-map-type: atomic`) selects something. In other structs of one writer the API server
 * fills in defaults, such as the version of a `fieldRef`, so a field more is no difference there.
 */
function isSelection(schema: Schema): boolean {
  const { properties = {}, additionalProperties } = schema;
  const selects = additionalProperties !== undefined || 'matchLabels' in properties;
  return schema['x-kubernetes-map-type'] === 'atomic' && selects;
}

function partsOf(schema: Schema, structs: Structs, above: readonly Schema[]): Pick<Shape, 'of'> {
  if (above.includes(schema)) return {};
  const fields = fieldsOf(schema, structs, above);
  if (Object.keys(fields).length === 0) return {};
  return { of: structs.nameOf(schema) ?? fields };
}
