import type { Json, JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import type { Column, Kind } from '../schema/kind.ts';
import { apiVersionOf } from '../schema/kind.ts';
import { cellOf } from '../tables/cells.ts';
import type { Wanted } from './accept.ts';
import { ApiProblem, badRequest } from './problem.ts';

export interface TableOptions {
  readonly wanted: Wanted;
  /** What a row contains besides the cells. */
  readonly include: 'Metadata' | 'Object' | 'None';
  readonly now: number;
  /** Leaves out the definitions of the columns. */
  readonly noHeaders?: boolean;
}

/** The form of an answer about objects of a kind. */
export interface Presentation extends TableOptions {
  readonly kind: Kind;
  readonly wanted: Wanted;
}

/** One object in the form that the client wants: itself, a table of one row, its metadata. */
export function presentObject(object: JsonObject, presentation: Presentation): JsonObject {
  switch (presentation.wanted.as) {
    case 'Table':
      return { ...tableOf(presentation.kind, [object], presentation), metadata: versionOf(object) };
    case 'PartialObjectMetadata':
      return metadataOf(object, presentation.wanted);
    case 'PartialObjectMetadataList':
      throw mismatch(
        'PartialObjectMetadataList',
        'not a list',
        `*${shortGroup(presentation.kind)}.${presentation.kind.kind}`,
      );
    default:
      return object;
  }
}

export function presentList(
  items: readonly JsonObject[],
  metadata: JsonObject,
  presentation: Presentation,
): JsonObject {
  const { kind, wanted } = presentation;
  switch (wanted.as) {
    case 'Table':
      return { ...tableOf(kind, items, presentation), metadata };
    case 'PartialObjectMetadataList':
      return {
        kind: 'PartialObjectMetadataList',
        apiVersion: metaVersion(wanted),
        metadata,
        items: items.map((item) => metadataOf(item, wanted)),
      };
    case 'PartialObjectMetadata':
      throw mismatch('PartialObjectMetadata', 'a list', `*${shortGroup(kind)}.${kind.kind}List`);
    default:
      return listOf(kind, items, metadata);
  }
}

function listOf(kind: Kind, items: readonly JsonObject[], metadata: JsonObject): JsonObject {
  const head = { kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind) };
  // In the real server, lists of custom resources are maps and those of built-in kinds Go structs.
  if (kind.custom) return { ...head, metadata: { continue: '', ...metadata }, items };
  return { ...head, metadata, items: items.map(bare) };
}

const bared = new WeakMap<JsonObject, JsonObject>();

/** Without apiVersion and kind, as items in a list of a built-in kind are. */
function bare(object: JsonObject): JsonObject {
  const known = bared.get(object);
  if (known !== undefined) return known;
  const { kind: _, apiVersion: __, ...item } = object;
  bared.set(object, item);
  return item;
}

/** PartialObjectMetadata of an object. */
function metadataOf(object: JsonObject, wanted: Wanted): JsonObject {
  const apiVersion = metaVersion(wanted);
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: objectAt(object, 'metadata') };
}

function metaVersion({ version = 'v1' }: Wanted): string {
  return `meta.k8s.io/${version}`;
}

function versionOf(object: JsonObject): JsonObject {
  const { resourceVersion = '' } = objectAt(object, 'metadata');
  return { resourceVersion };
}

function mismatch(wanted: string, is: string, type: string): ApiProblem {
  const but = is === 'a list' ? 'is a list' : 'is not a list';
  const message = `you requested ${wanted}, but the requested object ${but} (${type})`;
  return new ApiProblem(406, 'NotAcceptable', { message });
}

function shortGroup({ group, custom }: Kind): string {
  if (custom) return 'unstructured';
  return group === '' ? 'core' : (group.split('.')[0] ?? '');
}

const name: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  jsonPath: '.metadata.name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
};

/** A meta.k8s.io/v1 Table, without its metadata: what `kubectl get` prints. */
function tableOf(kind: Kind, objects: readonly JsonObject[], options: TableOptions): JsonObject {
  const { wanted, include, now, noHeaders } = options;
  // The table of Events has the name among the wide columns.
  const isNamed = kind.columns.some((column) => column.name === 'Name' && !kind.custom);
  const columns = isNamed ? kind.columns : [name, ...kind.columns];
  const rowOf = (object: JsonObject): JsonObject => ({
    cells: columns.map((column) => (column === name ? nameOf(object) : cellOf(kind, column, { object, now }))),
    object: include === 'None' ? null : include === 'Object' ? object : metadataOf(object, wanted),
  });
  return {
    kind: 'Table',
    apiVersion: metaVersion(wanted),
    metadata: {},
    columnDefinitions: noHeaders === true ? null : columns.map(definitionOf(kind)),
    rows: objects.map(rowOf),
  };
}

function nameOf(object: JsonObject): Json {
  return objectAt(object, 'metadata')['name'] ?? '';
}

function definitionOf({ custom }: Kind) {
  return (column: Column): JsonObject => ({
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description:
      column.description ??
      (custom ? `Custom resource definition column (in JSONPath format): ${column.jsonPath}` : ''),
    priority: column.priority ?? 0,
  });
}

/** The query's includeObject; throws 400. */
export function includeOf(query: URLSearchParams): TableOptions['include'] {
  const value = query.get('includeObject') ?? '';
  if (value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'Object' || value === 'None') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
