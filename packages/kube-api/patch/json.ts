import { ApiProblem, badRequest } from '../http/problem.ts';
import { isArray, isEqual, isObject, type Json, type JsonObject } from '../json.ts';
import { refused, unfit } from './printed.ts';

const maxOperations = 10_000;

type Container = readonly Json[] | JsonObject;

/**
 * A JSON patch (RFC 6902) as kube-apiserver applies one: an operation that does not apply or a test that fails is 422, a
 * patch of the wrong form 400, more than 10,000 operations 413. Its library deviates from the RFC, and so does this code:
 * `replace` of a missing key adds it, `copy` of one gives null, and indexes may be negative.
 */
export function jsonPatch(target: JsonObject, patch: Json): JsonObject {
  const operations = parse(patch);
  if (operations.length > maxOperations) {
    const limit = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`;
    throw new ApiProblem(413, 'RequestEntityTooLarge', { message: `Request entity too large: ${limit}` });
  }
  const result = operations.reduce(applyOne, target);
  if (!isObject(result)) throw refused();
  return result;
}

interface Operation {
  readonly op: string | undefined;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: Json;
}

function parse(patch: Json): readonly Operation[] {
  if (patch === null) return [];
  if (!isArray(patch)) throw wrong(patch, 'value of type []handlers.jsonPatchOp');
  return patch.map((given) => {
    if (given !== null && !isObject(given)) throw wrong(given, 'value of type handlers.jsonPatchOp');
    const fields = new Map(Object.entries(given ?? {}));
    const text = (field: string) => {
      const value = fields.get(field) ?? undefined;
      if (value === undefined || typeof value === 'string') return value;
      throw wrong(value, `struct field jsonPatchOp.${field} of type string`);
    };
    return { op: text('op'), path: text('path'), value: fields.get('value') ?? null, from: text('from') };
  });
}

function wrong(value: Json, type: string): ApiProblem {
  return badRequest(`error decoding patch: ${unfit(value, type)}`);
}

function applyOne(document: Json, { op, path, from, value }: Operation): Json {
  switch (op) {
    case 'add':
      return edit(document, keysOf(path), insert(value));
    case 'remove':
      return edit(document, keysOf(path), remove);
    case 'replace':
      return path === '' ? value : edit(document, keysOf(path), (container, key) => replace(container, key, value));
    case 'move': {
      const moved = read(document, from);
      return edit(edit(document, keysOf(from), remove), keysOf(path), insert(moved));
    }
    case 'copy':
      return edit(document, keysOf(path), insert(read(document, from)));
    case 'test':
      if (isEqual(path === '' ? document : read(document, path), value)) return document;
      throw refused();
    default:
      throw refused();
  }
}

/** The document with the container of the last key changed. */
function edit(
  node: Json,
  [key, ...rest]: readonly string[],
  change: (container: Container, key: string) => Container,
): Json {
  if (key === undefined || !isContainer(node)) throw refused();
  return rest.length === 0 ? change(node, key) : replace(node, key, edit(child(node, key), rest, change));
}

function insert(value: Json): (container: Container, key: string) => Container {
  return (container, key) => {
    if (!isArray(container)) return { ...container, [key]: value };
    const index = key === '-' ? container.length : indexOf(key, container.length + 1);
    return container.toSpliced(index, 0, value);
  };
}

function remove(container: Container, key: string): Container {
  if (isArray(container)) return container.toSpliced(indexOf(key, container.length), 1);
  if (!Object.hasOwn(container, key)) throw refused();
  return Object.fromEntries(Object.entries(container).filter(([name]) => name !== key));
}

function replace(container: Container, key: string, value: Json): Container {
  return isArray(container) ? container.with(indexOf(key, container.length), value) : { ...container, [key]: value };
}

function read(document: Json, path: string | undefined): Json {
  return keysOf(path).reduce((node, key) => {
    if (!isContainer(node)) throw refused();
    return child(node, key);
  }, document);
}

/** Null if there is no child. */
function child(container: Container, key: string): Json {
  if (isArray(container)) return container[indexOf(key, container.length)] ?? null;
  return Object.hasOwn(container, key) ? (container[key] ?? null) : null;
}

function indexOf(key: string, length: number): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN;
  if (Number.isNaN(index) || index >= length || index < -length) throw refused();
  return index < 0 ? index + length : index;
}

function keysOf(path: string | undefined): readonly string[] {
  const keys = path?.split('/').slice(1) ?? [];
  if (keys.length === 0) throw refused();
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function isContainer(value: Json): value is Container {
  return typeof value === 'object' && value !== null;
}
