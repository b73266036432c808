import { definition, objectMeta, rawDefinition } from '../builtin/definitions.ts';
import type { JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import type { Column, Kind, ScalePaths } from '../schema/kind.ts';
import type { Schema } from '../schema/schema.ts';
import { selectableFields } from './selectable.ts';

const age: Column = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  jsonPath: '.metadata.creationTimestamp',
};

/** Schemas are compiled once for each definition, under any status. */
const known = new WeakMap<JsonObject, readonly Kind[]>();

/** The kinds that a CustomResourceDefinition serves, one a served version. */
export function kindsOf(crd: JsonObject): readonly Kind[] {
  const spec = objectAt(crd, 'spec');
  const kinds = known.get(spec) ?? readKinds(crd, spec);
  known.set(spec, kinds);
  return kinds;
}

function readKinds(crd: JsonObject, spec: JsonObject): readonly Kind[] {
  const versions = objectsIn(spec['versions']);
  const storageVersion = textOf(versions.find((version) => version['storage'] === true)?.['name']);
  const names = namesOf(crd);
  return versions
    .filter((version) => version['served'] === true)
    .map((version) => ({
      ...names,
      group: textOf(spec['group']),
      version: textOf(version['name']),
      storageVersion,
      namespaced: spec['scope'] === 'Namespaced',
      schema: schemaOf(objectAt(version, 'schema', 'openAPIV3Schema')),
      hasStatus: isObject(objectAt(version, 'subresources')['status']),
      ...scaleOf(objectAt(version, 'subresources')['scale']),
      columns: columnsOf(version['additionalPrinterColumns']),
      selectable: selectableFields(version),
      custom: true,
      ...deprecationOf(crd, version),
    }));
}

function namesOf(crd: JsonObject): Pick<Kind, 'kind' | 'plural' | 'singular' | 'shortNames' | 'categories'> {
  const names = objectAt(crd, 'spec', 'names');
  const kind = textOf(names['kind']);
  return {
    kind,
    plural: textOf(names['plural']),
    singular: textOf(names['singular']) || kind.toLowerCase(),
    shortNames: textsIn(names['shortNames']),
    categories: textsIn(names['categories']),
  };
}

const given = new WeakMap<Schema, Schema>();

/** The schema of a custom resource as its definition has it, with the definition's own words about metadata. */
export function givenSchema({ schema }: Pick<Kind, 'schema'>): Schema {
  return given.get(schema) ?? { type: 'object' };
}

const meta = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The schema of a custom resource as the server publishes it: with the metadata of all objects, by reference. */
export function publishedSchema(kind: Pick<Kind, 'schema'>): JsonObject {
  const schema = givenSchema(kind);
  const { apiVersion, kind: kindField } = objectAt(rawDefinition('io.k8s.api.core.v1.Pod'), 'properties');
  const metadata = {
    description:
      "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
    allOf: [{ $ref: meta }],
  };
  const properties = { ...schema.properties, apiVersion, kind: kindField, metadata };
  return { ...schema, properties } as unknown as JsonObject;
}

function schemaOf(openApi: JsonObject): Schema {
  const schema = openApi as Schema;
  const typeMeta = definition('io.k8s.api.core.v1.Pod').properties ?? {};
  const whole: Schema = {
    ...schema,
    type: 'object',
    properties: {
      ...schema.properties,
      apiVersion: typeMeta['apiVersion'] ?? {},
      kind: typeMeta['kind'] ?? {},
      metadata: objectMeta(),
    },
  };
  given.set(whole, schema);
  return whole;
}

function scaleOf(scale: JsonObject[string] | undefined): { readonly scale?: ScalePaths } {
  if (!isObject(scale)) return {};
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    scale: {
      spec: textOf(specReplicasPath),
      status: textOf(statusReplicasPath),
      ...(typeof labelSelectorPath === 'string' && { selector: labelSelectorPath }),
    },
  };
}

function columnsOf(columns: JsonObject[string] | undefined): readonly Column[] {
  const given = objectsIn(columns);
  return given.length === 0 ? [age] : (given as unknown as readonly Column[]);
}

function deprecationOf(crd: JsonObject, version: JsonObject): { readonly deprecation?: string } {
  if (version['deprecated'] !== true) return {};
  const { deprecationWarning } = version;
  const { group, names } = objectAt(crd, 'spec');
  const kind = textOf(objectAt(names)['kind']);
  const others = objectsIn(objectAt(crd, 'spec')['versions']).filter(
    (other) => other['served'] === true && other['deprecated'] !== true,
  );
  const [newest] = others.map((other) => textOf(other['name'])).toSorted((a, b) => rankOf(b) - rankOf(a));
  const instead =
    newest === undefined || rankOf(newest) < rankOf(textOf(version['name']))
      ? ''
      : `; use ${textOf(group)}/${newest} ${kind}`;
  const said = `${textOf(group)}/${textOf(version['name'])} ${kind} is deprecated${instead}`;
  return { deprecation: textOf(deprecationWarning) || said };
}

/** v2 above v1 above v2beta1 above v1alpha1. */
function rankOf(version: string): number {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return (stage === undefined ? 2e6 : stage === 'beta' ? 1e6 : 0) + Number(major) * 1e3 + Number(minor);
}

function objectsIn(list: JsonObject[string] | undefined): readonly JsonObject[] {
  return isArray(list) ? list.filter(isObject) : [];
}

function textsIn(list: JsonObject[string] | undefined): readonly string[] {
  return isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

function textOf(value: JsonObject[string] | undefined): string {
  return typeof value === 'string' ? value : '';
}
