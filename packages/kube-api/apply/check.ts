import { badRequest } from '../http/problem.ts';
import { isArray, isObject, type Json, type JsonObject, objectAt } from '../json.ts';
import { failed, printed } from '../patch/printed.ts';
import { apiVersionOf, type Kind } from '../schema/kind.ts';
import type { Schema } from '../schema/schema.ts';
import { describe, fieldElement, itemElement } from './path-element.ts';
import { fieldOf, type Shape, schemaOf, shapeOf } from './shape.ts';

/**
 * Refuses what cannot be applied, with the server's words: 400 for another kind and for managedFields, 500 for fields
 * that the schema does not declare, values of another type and items that have no key or occur twice.
 */
export function checkApplied(kind: Kind, applied: JsonObject): void {
  const version = String(applied['apiVersion'] ?? '');
  const name = String(applied['kind'] ?? '');
  if (version !== apiVersionOf(kind) || name !== kind.kind) {
    throw badRequest(`invalid object type: ${qualified(version)}, Kind=${name}`);
  }
  const metadata = objectAt(applied, 'metadata');
  const managed = metadata['managedFields'];
  if (managed !== undefined && managed !== null) throw badRequest('metadata.managedFields must be nil');
  const errors = errorsOf(schemaOf(kind), applied, false);
  if (errors.length === 0) return;
  const said = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const where = `${String(metadata['namespace'] ?? '')}/${String(metadata['name'] ?? '')}; ${qualified(version)}, Kind=${name}`;
  throw failed(
    `failed to create typed patch object (${where}): ${said.length === 1 ? said[0] : ['errors:', ...said].join('\n  ')}`,
  );
}

interface TypeError {
  readonly path: string;
  readonly message: string;
}

/** `isOpen`: under a node that preserves unknown fields. */
function errorsOf(schema: Schema | undefined, value: Json, isOpen: boolean): readonly TypeError[] {
  if (schema === undefined || value === null) return [];
  const message = typeMessage(schema, value);
  if (message !== undefined) return [{ path: '', message }];
  const isOpenHere = isOpen || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isObject(value)) return mapErrors(schema, value, isOpenHere);
  return isArray(value) ? listErrors(schema, value, isOpenHere) : [];
}

function mapErrors(schema: Schema, value: JsonObject, isOpen: boolean): readonly TypeError[] {
  const errors: TypeError[] = [];
  const { properties = {}, additionalProperties } = schema;
  const isClosed =
    additionalProperties === undefined ? !isOpen && Object.keys(properties).length > 0 : !additionalProperties;
  for (const [name, child] of Object.entries(value)) {
    const field = fieldOf(schema, name);
    if (isClosed && !field.isNamed) return [...errors, { path: `.${name}`, message: 'field not declared in schema' }];
    errors.push(...under(fieldElement(name), errorsOf(field.schema, child, isOpen)));
  }
  return errors;
}

function listErrors(schema: Schema, list: readonly Json[], isOpen: boolean): readonly TypeError[] {
  const shape = shapeOf(schema, list);
  const errors: TypeError[] = [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (shape.kind !== 'list') {
      errors.push(...under(`i:${index}`, errorsOf(schema.items, item, isOpen)));
      continue;
    }
    const why = noElement(shape, item);
    if (why !== undefined) return [...errors, { path: '', message: `element ${index}: ${why}` }];
    const element = itemElement(item, shape);
    if (seen.has(element)) errors.push({ path: '', message: `duplicate entries for key ${describe(element)}` });
    seen.add(element);
    errors.push(...under(element, errorsOf(shape.items, item, isOpen)));
  }
  return errors;
}

/** Why an item cannot be distinguished from the others. */
function noElement(shape: Extract<Shape, { kind: 'list' }>, item: Json): string | undefined {
  if (shape.keys === undefined) {
    if (isObject(item)) return "associative list without keys has an element that's a map type";
    if (isArray(item)) return 'not supported: associative list with lists as elements';
    return item === null ? "associative list without keys has an element that's an explicit null" : undefined;
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  if (shape.keys.length === 0 || itemElement(item, shape) !== 'k:{}') return undefined;
  const keys = shape.keys.map((key) => `"${key}"`).join(' ');
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

function typeMessage({ type, format }: Schema, value: Json): string | undefined {
  const found = () => `&{${printed(value)}}`;
  switch (type) {
    case 'object':
      return wrong('map', isObject(value), found);
    case 'array':
      return wrong('list', isArray(value), found);
    case 'integer':
    case 'number':
      return wrong('numeric (int or float)', typeof value === 'number', () => goType(value));
    case 'boolean':
      return wrong('boolean', typeof value === 'boolean', found);
    case 'string':
      if (format !== undefined && format !== 'byte') return wrong('any scalar', typeof value !== 'object', found);
      return wrong('string', typeof value === 'string', () => `&value.valueUnstructured{Value:${printed(value)}}`);
    default:
      return undefined;
  }
}

function wrong(expected: string, isRight: boolean, found: () => string): string | undefined {
  return isRight ? undefined : `expected ${expected}, got ${found()}`;
}

function goType(value: Json): string {
  if (isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function qualified(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
}

function under(element: string, errors: readonly TypeError[]): readonly TypeError[] {
  return errors.map(({ path, message }) => ({ path: `${describe(element)}${path}`, message }));
}
