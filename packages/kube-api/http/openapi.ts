import { nameOf, rawDefinition } from '../builtin/definitions.ts';
import { publishedSchema } from '../crd/kinds-of.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import type { Kinds } from '../schema/kinds.ts';

/** GET /openapi/v3: the address of the document for each served group version. */
export function openApiIndex(kinds: Kinds): JsonObject {
  const paths = new Set(kinds.all().map(pathOf));
  return {
    paths: Object.fromEntries(
      [...paths].map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${kinds.all().length}` }]),
    ),
  };
}

/** GET /openapi/v3/`path`: schemas, and the parts of operations that kubectl needs for `explain` and server-side validation. */
export function openApiDocument(kinds: Kinds, path: string): JsonObject | undefined {
  const served = kinds.all().filter((kind) => pathOf(kind) === path);
  if (served.length === 0) return undefined;
  const schemas = new Map<string, Json>();
  for (const kind of served) collect(kind, schemas);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.35' },
    paths: Object.fromEntries(served.flatMap(operationsOf)),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

function pathOf(kind: Kind): string {
  return kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`;
}

function operationsOf(kind: Kind): readonly (readonly [string, JsonObject])[] {
  const root = `/${pathOf(kind)}/${kind.namespaced ? 'namespaces/{namespace}/' : ''}${kind.plural}`;
  const { group, version } = kind;
  const gvk = { 'x-kubernetes-group-version-kind': { group, version, kind: kind.kind } };
  const query = (name: string) => ({ name, in: 'query', schema: { type: 'string', uniqueItems: true } });
  const writes = { parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map(query), ...gvk };
  const get = { 'x-kubernetes-action': 'get', ...gvk };
  return [
    [root, { get, post: { 'x-kubernetes-action': 'post', ...writes } }],
    [
      `${root}/{name}`,
      { get, put: { 'x-kubernetes-action': 'put', ...writes }, patch: { 'x-kubernetes-action': 'patch', ...writes } },
    ],
  ];
}

/** Puts the schema of a kind and everything that it refers to into `schemas`. */
function collect(kind: Kind, schemas: Map<string, Json>): void {
  const published = kind.custom ? publishedSchema(kind) : undefined;
  if (published === undefined) {
    follow(nameOf(kind.schema) ?? '', schemas);
    return;
  }
  const { group, version, selectable = [] } = kind;
  const name = `${group.split('.').toReversed().join('.')}.${version}.${kind.kind}`;
  schemas.set(name, {
    ...published,
    'x-kubernetes-group-version-kind': [{ group, version, kind: kind.kind }],
    ...(selectable.length > 0 && {
      'x-kubernetes-selectable-fields': selectable.map((fieldPath) => ({ fieldPath })),
    }),
  });
  references(published, schemas);
}

function follow(name: string, schemas: Map<string, Json>): void {
  if (schemas.has(name)) return;
  const node = rawDefinition(name);
  schemas.set(name, node);
  references(node, schemas);
}

function references(node: Json, schemas: Map<string, Json>): void {
  if (isArray(node)) for (const item of node) references(item, schemas);
  if (!isObject(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string') follow(value.slice(value.lastIndexOf('/') + 1), schemas);
    else references(value, schemas);
  }
}
