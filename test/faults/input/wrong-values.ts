import type { Schema } from '../../crds/read.ts';
import { hostileTexts } from './hostile-texts.ts';

/** A field's schema with all that bounds it. */
export interface Bounded extends Schema {
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Bounded>>;
  readonly items?: Bounded;
  readonly additionalProperties?: Bounded;
}

/** What is wrong with a value, and the value. */
export type Wrong = readonly [what: string, value: unknown];

/** Values of another type than the schema's. */
export function ofWrongType(schema: Bounded): readonly Wrong[] {
  const all: Readonly<Record<string, readonly unknown[]>> = {
    string: ['text'],
    integer: [7],
    fraction: [1.5],
    boolean: [true, false],
    object: [{ a: 1 }],
    array: [['x'], []],
  };
  const taken = schema['x-kubernetes-int-or-string'] ? ['string', 'integer'] : [schema.type ?? ''];
  return Object.entries(all)
    .filter(([type]) => !taken.includes(type))
    .flatMap(([type, values]) => values.map((value) => [`${type} ${JSON.stringify(value)}`, value] as const));
}

/** Values of the right type that the schema does not take: `good` is one that it does. */
export function outOfBounds(schema: Bounded, good: unknown): readonly Wrong[] {
  switch (schema.type) {
    case 'integer':
      return numbers(schema);
    case 'string':
      return texts(schema);
    case 'array':
      return lists(schema, good);
    case 'object':
      return maps(schema);
    default:
      return [];
  }
}

function numbers({ minimum, maximum, format }: Bounded): readonly Wrong[] {
  return [
    ...(minimum === undefined
      ? []
      : [minimum - 1, minimum - 1000].map((value) => [`too small ${value}`, value] as const)),
    ...(maximum === undefined
      ? []
      : [maximum + 1, maximum * 10].map((value) => [`too large ${value}`, value] as const)),
    ...(format === 'int32' ? [2 ** 31, 2 ** 53].map((value) => [`beyond int32 ${value}`, value] as const) : []),
    ['beyond every integer', 1e30],
  ];
}

function texts({ enum: choices, maxLength, minLength = 0, pattern, ...rest }: Bounded): readonly Wrong[] {
  const ruled = 'x-kubernetes-validations' in rest && maxLength !== undefined && maxLength < 100;
  const isWrong = (text: string): boolean => {
    if (choices !== undefined) return !choices.includes(text);
    if ([...text].length > (maxLength ?? Number.POSITIVE_INFINITY) || text.length < minLength) return true;
    return pattern === undefined
      ? ruled && !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text)
      : !new RegExp(pattern, 'u').test(text);
  };
  const candidates = [
    ...hostileTexts,
    '',
    'nope',
    'NOPE',
    ...(maxLength === undefined ? [] : ['a'.repeat(maxLength + 1)]),
    ...(choices ?? []).map((choice) => ` ${String(choice)}`),
    ...(choices ?? []).map((choice) => String(choice).toUpperCase()),
  ];
  return [...new Set(candidates)]
    .filter(isWrong)
    .map((text) => [`text ${JSON.stringify(text.slice(0, 30))} of ${text.length}`, text] as const);
}

function lists({ maxItems, minItems = 0, ...schema }: Bounded, good: unknown): readonly Wrong[] {
  const [item] = Array.isArray(good) ? (good as readonly unknown[]) : [];
  if (item === undefined) return [];
  const same = ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? '');
  return [
    ...(maxItems === undefined
      ? []
      : [[`${maxItems + 1} items`, Array.from({ length: maxItems + 1 }, () => item)] as const]),
    ...(minItems > 0 ? [['no items', []] as const] : []),
    ...(same ? [['the same twice', [item, item]] as const] : []),
    ['an item that is null', [null]],
  ];
}

function maps({ additionalProperties, maxProperties }: Bounded): readonly Wrong[] {
  if (additionalProperties === undefined || maxProperties === undefined) return [];
  const entries = Array.from({ length: maxProperties + 1 }, (_, index) => [`k${index}`, 'v']);
  return [
    [`${maxProperties + 1} keys`, Object.fromEntries(entries)],
    ['a key of 318 characters', { ['k'.repeat(318)]: 'v' }],
    ['an empty key', { '': 'v' }],
  ];
}
