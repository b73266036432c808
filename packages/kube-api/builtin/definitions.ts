import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectAt } from '../json.ts';
import type { Schema } from '../schema/schema.ts';

const resolved = new Map<string, Schema>();
const names = new WeakMap<Schema, string>();
const parsed = new Map<string, JsonObject>();
let sections: Sections | undefined;

/** The text of each entry of openapi.json by its name. */
interface Sections {
  readonly resources: ReadonlyMap<string, string>;
  readonly definitions: ReadonlyMap<string, string>;
}

/** A definition of a built-in kind by its whole name, as the API server publishes it: with references; empty if it publishes no such kind. */
export function rawDefinition(name: string): JsonObject {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const raw = objectAt(JSON.parse(data().definitions.get(name) ?? '{}') as Json);
  parsed.set(name, raw);
  return raw;
}

/** The built-in resources by path, such as `apis/apps/v1/deployments`: names, subresources, columns. */
export function builtinResources(): readonly (readonly [string, JsonObject])[] {
  return [...data().resources].map(([path, text]) => [path, objectAt(JSON.parse(text) as Json)]);
}

/** Each entry has a line of its own: only those that are asked for are parsed, since to parse all would delay every start. */
function data(): Sections {
  if (sections !== undefined) return sections;
  const text = readFileSync(join(import.meta.dirname, 'openapi.json'), 'utf8');
  const [, resources = '', definitions = ''] = text.split(/^"(?:resources|definitions)":\{\n/m);
  sections = { resources: entriesOf(resources), definitions: entriesOf(definitions) };
  return sections;
}

function entriesOf(section: string): ReadonlyMap<string, string> {
  const lines = section.split('\n').filter((line) => line.startsWith('"'));
  return new Map(
    lines.map((line) => {
      const end = line.indexOf('":');
      return [line.slice(1, end), line.slice(end + 2).replace(/,$/, '')];
    }),
  );
}

/**
 * The schema of a definition by its whole name or the end of it, such as `core.v1.Pod`, with resolved references; the
 * same object each time. Throws if there is no such definition.
 */
export function definition(name: string): Schema {
  const all = data().definitions;
  const found = all.has(name) ? name : [...all.keys()].find((known) => known.endsWith(`.${name}`));
  if (found === undefined) throw new Error(`no built-in definition of ${name}`);
  return byName(found);
}

/** The metadata of all objects. */
export function objectMeta(): Schema {
  return byName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
}

/** The full name of the definition that a schema comes from: `io.k8s.api.core.v1.PodSpec`. */
export function nameOf(schema: Schema): string | undefined {
  return names.get(schema);
}

/** The Go name of the struct that a schema describes: `PodSpec`; empty if there is no struct. */
export function structOf(schema: Schema): string {
  const name = names.get(schema) ?? '';
  return name.slice(name.lastIndexOf('.') + 1);
}

// The entry is made before its parts: the schema of JSON schemas holds itself.
function byName(name: string): Schema {
  const known = resolved.get(name);
  if (known !== undefined) return known;
  const schema: Schema = {};
  resolved.set(name, schema);
  names.set(schema, name);
  // Any JSON, owned as a whole.
  const atomic = name.endsWith('.RawExtension') ? { 'x-kubernetes-map-type': 'atomic' } : {};
  return Object.assign(schema, resolve(rawDefinition(name)), atomic);
}

function resolve(node: JsonObject): Schema {
  const { $ref: direct, allOf } = node;
  const wrapped = Array.isArray(allOf) && allOf.length === 1 ? objectAt(allOf[0] as Json)['$ref'] : undefined;
  const reference = direct ?? wrapped;
  if (typeof reference === 'string') return referred(byName(reference.slice(reference.lastIndexOf('/') + 1)), node);
  if (node['format'] === 'int-or-string') return { 'x-kubernetes-int-or-string': true };
  const { properties, items, additionalProperties, oneOf, ...rest } = node;
  return {
    ...(rest as Schema),
    // A quantity: a number is read as its text.
    ...(oneOf !== undefined && { type: 'string' }),
    ...(isObject(properties) && { properties: mapped(properties) }),
    ...(isObject(items) && { items: element(items) }),
    ...(isObject(additionalProperties) && { additionalProperties: element(additionalProperties) }),
    ...(isOpen(node) && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

// Beside a reference the schema says how lists and maps are merged, and has `default: {}` if Go has a struct and not a pointer.
function referred(schema: Schema, node: JsonObject): Schema {
  const extensions = Object.entries(node).filter(([key]) => key.startsWith('x-kubernetes-') || key === 'default');
  if (extensions.length === 0) return schema;
  const own = { ...schema, ...Object.fromEntries(extensions) };
  const name = names.get(schema);
  if (name !== undefined) names.set(own, name);
  return own;
}

function element({ default: _, ...node }: JsonObject): Schema {
  return resolve(node);
}

function mapped(properties: JsonObject): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([key, node]) => [key, resolve(objectAt(node))]));
}

// Raw JSON: FieldsV1, the defaults and enums of a JSON schema.
function isOpen({ type, properties, additionalProperties, oneOf }: JsonObject): boolean {
  return (
    (type === undefined || type === 'object') &&
    properties === undefined &&
    additionalProperties === undefined &&
    oneOf === undefined
  );
}
