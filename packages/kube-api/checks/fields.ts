import { structOf } from '../builtin/definitions.ts';
import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { duplicate, notSupported } from '../schema/texts.ts';
import type { Rule } from './rules.ts';
import { rules } from './rules.ts';

/** A value and the object that contains it. */
interface Part {
  readonly value: Json | undefined;
  readonly root: JsonObject;
}

/**
 * The faults of the fields of a built-in object: by the table of rules, words that the schema does not know,
 * and names that occur twice. Metadata and status are checked elsewhere or not at all.
 */
export function fieldCauses(schema: Schema, { value, root }: Part, at = ''): readonly Cause[] {
  if (isArray(value)) {
    const { items = {} } = schema;
    const below = value.flatMap((item, index) => fieldCauses(items, { value: item, root }, `${at}[${index}]`));
    return [...below, ...repeated(schema, value, at)];
  }
  if (!isObject(value) || schema.properties === undefined) return [];
  return fieldsOf(schema).flatMap(({ key, field, rule }) => {
    const child = value[key];
    const isElsewhere = at === '' && (key === 'metadata' || key === 'status');
    if (isElsewhere || (child === undefined && rule === undefined)) return [];
    const where = at === '' ? key : `${at}.${key}`;
    const said = rule ? rule(child, where, { object: value, root }) : unknownWord(field, child, where);
    return [...said, ...fieldCauses(field, { value: child, root }, where)];
  });
}

interface Field {
  readonly key: string;
  readonly field: Schema;
  readonly rule: Rule | undefined;
}

const known = new WeakMap<Schema, readonly Field[]>();

/** Fields with a rule come first, in the order of the rules. */
function fieldsOf(schema: Schema): readonly Field[] {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const { properties = {} } = schema;
  const own: Readonly<Record<string, Rule>> = rules[structOf(schema)] ?? {};
  const keys = new Set([...Object.keys(own), ...Object.keys(properties)]);
  const fields = [...keys].flatMap((key) => {
    const field = properties[key];
    return field === undefined ? [] : [{ key, field, rule: own[key] }];
  });
  known.set(schema, fields);
  return fields;
}

function unknownWord({ enum: words }: Schema, value: Json | undefined, field: string): readonly Cause[] {
  const fits = words === undefined || value === undefined || value === '' || words.includes(value);
  return fits ? [] : [notSupported(field, value, words)];
}

/** In a list that is a map by name each name may occur once. */
function repeated(schema: Schema, list: readonly Json[], at: string): readonly Cause[] {
  const [key, ...more] = schema['x-kubernetes-list-map-keys'] ?? [];
  // For gates the message names the whole item, and is made elsewhere.
  const isElsewhere = structOf(schema.items ?? {}) === 'PodSchedulingGate';
  if (key !== 'name' || more.length > 0 || isElsewhere) return [];
  const names = list.map((item) => objectAt(item)['name']);
  return names.flatMap((name, index) =>
    name && names.indexOf(name) < index ? [duplicate(`${at}[${index}].name`, name)] : [],
  );
}
