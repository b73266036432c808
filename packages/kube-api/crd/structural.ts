import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import { schemaCauses } from '../schema/check.ts';
import { prune } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../schema/texts.ts';
import { ruleProblems } from './rule-problems.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** The faults that keep a schema from being structural (KEP-1979), defaults that do not fit, and rules that do not compile. */
export function structuralCauses(schema: JsonObject, at: string): readonly Cause[] {
  const { type } = schema;
  if (!type) return [required(`${at}.type`, 'must not be empty at the root')];
  if (type !== 'object') return [invalidValue(`${at}.type`, type, 'must be object at the root')];
  const metadata = Object.keys(objectAt(schema, 'properties', 'metadata', 'properties'));
  const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  const tooMuch = metadata.some((key) => key !== 'name' && key !== 'generateName');
  return [
    ...(tooMuch ? [forbiddenField(`${at}.properties[metadata]`, why)] : []),
    ...nodeCauses(schema, at, { isRoot: true }),
  ];
}

/** Whether a node is the root, and the list around it whose items cannot be matched with the earlier ones. */
interface Place {
  readonly isRoot?: boolean;
  readonly loose?: string;
}

function nodeCauses(node: JsonObject, at: string, { isRoot = false, loose }: Place): readonly Cause[] {
  const { type, items, properties, additionalProperties: values } = node;
  const here = type === 'array' && node['x-kubernetes-list-type'] !== 'map' ? at : undefined;
  const below = loose ?? here;
  const children = [
    ...Object.entries(objectAt(properties)).map(
      ([key, child]) => [objectAt(child), `${at}.properties[${key}]`, 'object fields'] as const,
    ),
    ...(isObject(items) ? [[items, `${at}.items`, 'array items'] as const] : []),
    ...(isObject(values) ? [[values, `${at}.additionalProperties`, 'object fields'] as const] : []),
  ];
  return [
    ...refusals.flatMap(([isBroken, cause]) => (isBroken(node) ? [cause(node, at)] : [])),
    ...defaultCauses(node, at),
    ...listCauses(node, at),
    ...ruleProblems(node as Schema, at, { isRoot, loose }),
    ...children.flatMap(([child, where, what]) => [
      ...(isTyped(child) ? [] : [required(`${where}.type`, `must not be empty for specified ${what}`)]),
      ...nodeCauses(child, where, below === undefined ? {} : { loose: below }),
    ]),
  ];
}

function isTyped(node: JsonObject): boolean {
  const untyped = ['x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'];
  return Boolean(node['type']) || untyped.some((key) => node[key] === true);
}

type Refusal = readonly [isBroken: (node: JsonObject) => boolean, cause: (node: JsonObject, at: string) => Cause];

const refusals: readonly Refusal[] = [
  [
    ({ type, items }) => type === 'array' && items === undefined,
    (_, at) => required(`${at}.items`, 'must be specified'),
  ],
  [
    ({ type }) => Boolean(type) && !types.includes(String(type)),
    ({ type }, at) => notSupported(`${at}.type`, type ?? '', types),
  ],
  [
    ({ properties, additionalProperties }) => properties !== undefined && isObject(additionalProperties),
    (_, at) => forbiddenField(`${at}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
  ],
  [
    ({ items }) => isArray(items),
    (_, at) => forbiddenField(`${at}.items`, 'items must be a schema object and not an array'),
  ],
  [({ $ref }) => typeof $ref === 'string', (_, at) => forbiddenField(`${at}.$ref`, '$ref is not supported')],
  [
    ({ uniqueItems }) => uniqueItems === true,
    (_, at) =>
      forbiddenField(
        `${at}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
  ],
  [
    ({ pattern }) => regexpFault(pattern) !== undefined,
    ({ pattern = '' }, at) =>
      invalidValue(`${at}.pattern`, pattern, `must be a valid regular expression, but isn't: ${regexpFault(pattern)}`),
  ],
];

/** In JavaScript's words, because JavaScript will use the pattern. */
function regexpFault(pattern: Json | undefined): string | undefined {
  try {
    new RegExp(typeof pattern === 'string' ? pattern : '');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function defaultCauses(node: JsonObject, at: string): readonly Cause[] {
  const { default: given } = node;
  if (given === undefined) return [];
  const { unknown } = prune(node as Schema, given);
  if (unknown.length > 0) return [invalidValue(`${at}.default`, given, 'must not have unknown fields')];
  return schemaCauses(node as Schema, { next: given, old: undefined, above: `${at}.default` });
}

/** A list that is a map needs keys that every item has. */
function listCauses(node: JsonObject, at: string): readonly Cause[] {
  if (node['x-kubernetes-list-type'] !== 'map') return [];
  const { 'x-kubernetes-list-map-keys': keys } = node;
  const field = `${at}.x-kubernetes-list-map-keys`;
  if (!isArray(keys) || keys.length === 0)
    return [required(field, 'must not be empty if x-kubernetes-list-type is map')];
  const { properties, required: always } = objectAt(node, 'items');
  if (!keys.every((key) => Object.hasOwn(objectAt(properties), String(key)))) {
    return [invalidValue(field, keys, 'entries must all be names of item properties')];
  }
  const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
  const isThere = (key: Json) =>
    (isArray(always) && always.includes(key)) || objectAt(properties, String(key))['default'] !== undefined;
  return keys.filter((key) => !isThere(key)).map((key) => required(`${at}.items.properties[${key}].default`, why));
}
