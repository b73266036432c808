import type { Cause } from '../http/problem.ts';
import type { Json } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import type { CompiledRule } from './cel.ts';
import { rulesOf } from './cel.ts';
import type { Path } from './path.ts';
import { counterpart, isUnchanged, pathText } from './path.ts';
import { fieldOf } from './prune.ts';
import type { Rule, Schema } from './schema.ts';
import { duplicate, forbiddenField, invalidValue, invalidWhole, required } from './texts.ts';

/** The whole object before and after, because unchanged faults are tolerated. */
interface Update {
  readonly root: Schema;
  readonly next: Json;
  readonly old: Json | undefined;
}

/** The violations of a schema's rules (x-kubernetes-validations), those of an object before those of its fields. */
export function ruleCauses(root: Schema, next: Json, old: Json | undefined): readonly Cause[] {
  return causesAt(root, { self: next, oldSelf: old, path: [] }, { root, next, old });
}

const ruled = new WeakMap<Schema, boolean>();

/** Whether a schema has any rule, at any depth. */
export function hasRules(schema: Schema): boolean {
  const found = ruled.get(schema) ?? findRules(schema);
  ruled.set(schema, found);
  return found;
}

function findRules(schema: Schema): boolean {
  const { items, properties = {}, additionalProperties } = schema;
  const below = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  return schema['x-kubernetes-validations'] !== undefined || below.some(hasRules);
}

interface Place {
  readonly self: Json;
  readonly oldSelf: Json | undefined;
  readonly path: Path;
}

function causesAt(schema: Schema, place: Place, update: Update): readonly Cause[] {
  const { self, oldSelf, path } = place;
  if (self === null || !hasRules(schema)) return [];
  const here = rulesOf(schema, path.length === 0).flatMap((rule) => causesOf(schema, rule, { ...place, update }));
  if (isArray(self)) {
    const { items } = schema;
    if (items === undefined) return here;
    const below = self.flatMap((item, index) =>
      causesAt(items, { self: item, oldSelf: counterpart(schema, item, oldSelf), path: [...path, index] }, update),
    );
    return [...here, ...below];
  }
  if (!isObject(self)) return here;
  const below = Object.entries(self).flatMap(([key, child]) => {
    const field = fieldOf(schema, key);
    const older = isObject(oldSelf) && Object.hasOwn(oldSelf, key) ? oldSelf[key] : undefined;
    return field === undefined ? [] : causesAt(field, { self: child, oldSelf: older, path: [...path, key] }, update);
  });
  return [...here, ...below];
}

function causesOf(schema: Schema, compiled: CompiledRule, at: Place & { update: Update }): readonly Cause[] {
  const { rule, usesOldSelf, holds } = compiled;
  const { self, oldSelf, path, update } = at;
  const older = oldSelf === null ? undefined : oldSelf;
  if (usesOldSelf && older === undefined && rule.optionalOldSelf !== true) return [];
  try {
    if (holds(self, older) === true) return [];
  } catch (error) {
    return [invalidValue(pathText(path), schema.type ?? '', `${faultOf(error)} evaluating rule: ${textOf(rule, '')}`)];
  }
  if (!usesOldSelf && isUnchanged(update.root, path, update)) return [];
  const field = `${pathText(path)}${rule.fieldPath ?? ''}`.replace(/^\./, '') || '<nil>';
  return [causeOf(rule, { field, value: isWhole(schema) ? undefined : self, detail: detailOf(compiled, self, older) })];
}

function isWhole({ type }: Schema): boolean {
  return type === 'object' || type === 'array';
}

function causeOf(
  rule: Rule,
  { field, value, detail }: { field: string; value: Json | undefined; detail: string },
): Cause {
  switch (rule.reason) {
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueDuplicate':
      return value === undefined ? { reason: rule.reason, message: 'Duplicate value', field } : duplicate(field, value);
    default:
      return value === undefined ? invalidWhole(field, detail) : invalidValue(field, value, detail);
  }
}

function detailOf({ rule, message }: CompiledRule, self: Json, oldSelf: Json | undefined): string {
  if (rule.messageExpression !== undefined) {
    try {
      const said = message(self, oldSelf);
      if (typeof said === 'string' && said.trim() !== '' && !said.includes('\n')) return said;
    } catch {
      // The server falls back to the message, too.
    }
  }
  return textOf(rule);
}

function textOf({ message, rule }: Rule, prefix = 'failed rule: '): string {
  return message === undefined || message === '' ? `${prefix}${rule.trim()}` : message.trim();
}

const faults: Readonly<Record<string, (message: string) => string>> = {
  index_out_of_bounds: (message) => `index out of bounds: ${/index (-?\d+)/.exec(message)?.[1]}`,
  no_such_key: (message) => `no such key: ${/key: (.*)/.exec(message)?.[1]}`,
};

function faultOf(error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  const [first = ''] = message.split('\n');
  const own = Object.hasOwn(faults, code) ? faults[code] : undefined;
  return own?.(first) ?? first;
}
