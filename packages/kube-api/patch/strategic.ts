import { badRequest } from '../http/problem.ts';
import { isArray, isObject, type Json, type JsonObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { failed, printed, unfit } from './printed.ts';
import { type Merge, mergeLists, reorder } from './strategic-list.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const deletions = '$deleteFromPrimitiveList';
const elementOrder = '$setElementOrder';

/**
 * A strategic merge patch of a built-in kind, by the patch strategies and merge keys of its schema, as kubectl's
 * client-side apply and edit send one. Throws 400 for a directive of the wrong form and, as the server does, 500 for
 * lists without their merge key.
 */
export function strategicPatch(schema: Schema, target: JsonObject, patch: Json): JsonObject {
  if (patch === null) return target;
  if (!isObject(patch)) throw badRequest(unfit(patch, 'value of type map[string]interface {}'));
  return mergeMaps(schema, target, patch);
}

const mergeMaps: Merge = (schema, target, patch) => {
  if (Object.hasOwn(patch, directive)) return directed(patch);
  const result = new Map(Object.entries(retained(target, patch)));
  const rest = new Map(Object.entries(patch));
  rest.delete(retainKeys);
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(elementOrder)) continue;
    rest.delete(key);
    const field = fieldOf(key, elementOrder, 'setElementOrder list');
    const list = inOrder({
      schema: fieldSchema(schema, field),
      before: result.get(field),
      patch: rest.get(field),
      order,
    });
    if (list !== undefined) result.set(field, list);
    if (list !== undefined) rest.delete(field);
  }
  for (const [key, value] of rest) mergeField(schema, result, [key, value]);
  return Object.fromEntries(result);
};

/** `$patch: replace` takes the patch as it is, `$patch: delete` leaves nothing. */
function directed({ [directive]: what, ...rest }: JsonObject): JsonObject {
  if (what === 'replace') return rest;
  if (what === 'delete') return {};
  throw failed(
    `unknown patch type: ${printed(what ?? null)} in map: ${printed({ ...rest, [directive]: what ?? null })}`,
  );
}

/** The part of the target that `$retainKeys` leaves: the patch names all keys that may stay. */
function retained(target: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, retainKeys)) return target;
  const keys = patch[retainKeys];
  const isForeign = ([key, value]: [string, Json]) =>
    key !== retainKeys && value !== null && !key.startsWith(deletions) && !key.startsWith(elementOrder) && !isKept(key);
  const isKept = (key: string) => isArray(keys) && keys.includes(key);
  if (!isArray(keys) || Object.entries(patch).some(isForeign)) throw badRequest('invalid patch format of retainKeys');
  return Object.fromEntries(Object.entries(target).filter(([key]) => isKept(key)));
}

interface OrderedList {
  readonly schema: Schema;
  readonly before: Json | undefined;
  readonly patch: Json | undefined;
  readonly order: Json;
}

/** The list that `$setElementOrder` is about, merged and in that order; undefined if there is no such list. */
function inOrder({ schema, before, patch, order }: OrderedList): readonly Json[] | undefined {
  for (const list of [order, before ?? [], patch ?? []]) {
    if (!isArray(list)) throw failed(`expected a []interface {}, but received a ${typeof list}`);
  }
  if (!isArray(order) || (before === undefined && patch === undefined)) return undefined;
  const key = schema['x-kubernetes-patch-merge-key'];
  if (isArray(patch)) checkOrder(patch, order, key);
  const old = isArray(before) ? before : [];
  let merged: Json = old;
  if (isArray(patch)) merged = before === undefined ? (plain(patch) ?? []) : mergeList(schema, old, patch);
  return isArray(merged) ? reorder(merged, { order, server: old, key }) : undefined;
}

/** Items of the patch have to come in the order of `$setElementOrder`, which must name all of them. */
function checkOrder(patch: readonly Json[], order: readonly Json[], key: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  const nameOf = (item: Json | undefined) => (key !== undefined && isObject(item) ? item[key] : item);
  let next = 0;
  for (const item of patch.filter((item) => !isObject(item) || !Object.hasOwn(item, directive))) {
    while (next < order.length && nameOf(order[next]) !== nameOf(item)) next += 1;
    if (next === order.length)
      throw failed(
        `The order in patch list:\n${printed(patch)}\n doesn't match ${elementOrder} list:\n${printed(order)}\n`,
      );
    next += 1;
  }
}

function mergeField(schema: Schema, result: Map<string, Json>, [key, value]: [string, Json]): void {
  if (key.startsWith(deletions)) {
    const field = fieldOf(key, deletions, 'primitive list');
    const list = result.get(field);
    if (isArray(list) && isArray(value)) {
      result.set(
        field,
        list.filter((item) => !value.includes(item)),
      );
    }
    return;
  }
  const merged = mergeValue(fieldSchema(schema, key), result.get(key), value);
  if (merged === undefined) result.delete(key);
  else result.set(key, merged);
}

function mergeValue(schema: Schema, before: Json | undefined, value: Json): Json | undefined {
  if (isObject(before) && isObject(value)) {
    return strategyOf(schema) === 'replace' ? value : mergeMaps(schema, before, value);
  }
  if (isArray(before) && isArray(value)) return mergeList(schema, before, value);
  return value === null ? undefined : plain(value);
}

function mergeList(schema: Schema, before: readonly Json[], patch: readonly Json[]): readonly Json[] {
  return strategyOf(schema) === 'merge' ? mergeLists(schema, { before, patch, mergeMaps }) : patch;
}

/** A new value without directives and nulls; undefined if it is a directive itself. */
function plain(value: Json): Json | undefined {
  if (isArray(value)) return value.map(plain).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const kept = child === null ? undefined : plain(child);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

/** `finalizers` of `$setElementOrder/finalizers`. */
function fieldOf(key: string, prefix: string, what: string): string {
  if (!key.startsWith(`${prefix}/`)) throw badRequest(`invalid patch format of ${what}`);
  return key.slice(prefix.length + 1);
}

function fieldSchema({ properties, additionalProperties }: Schema, field: string): Schema {
  if (properties !== undefined && Object.hasOwn(properties, field)) return properties[field] ?? {};
  return typeof additionalProperties === 'object' ? additionalProperties : {};
}

function strategyOf(schema: Schema): string {
  const strategies = (schema['x-kubernetes-patch-strategy'] ?? '').split(',');
  return strategies.find((strategy) => strategy !== 'retainKeys') ?? '';
}
