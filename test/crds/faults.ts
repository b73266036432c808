import type { Schema } from './read.ts';

/** What a schema lacks to be explained by `kubectl explain`, bounded, and refused with a sentence: one line a fault. */
export function faultsIn(schema: Schema, path = ''): readonly string[] {
  const here = [...lacks(schema), ...badRules(schema)].map((fault) => `${path === '' ? '.' : path}: ${fault}`);
  const below = [
    ...Object.entries(schema.properties ?? {}).map(([name, child]) => [`${path}.${name}`, child] as const),
    ...(schema.items === undefined ? [] : [[`${path}[]`, schema.items] as const]),
    ...(schema.additionalProperties === undefined ? [] : [[`${path}{}`, schema.additionalProperties] as const]),
  ];
  return [...here, ...below.flatMap(([where, child]) => faultsIn(child, where))];
}

function lacks(schema: Schema): readonly string[] {
  const text = schema.type === 'string' || schema['x-kubernetes-int-or-string'] === true;
  const free = schema.enum === undefined && schema.format === undefined;
  const faults = {
    'no description of some words': !/^[A-Za-z].*\S \S.*\.$/s.test(schema.description ?? ''),
    'no type': schema.type === undefined && schema['x-kubernetes-int-or-string'] !== true,
    'no maxLength': text && free && schema.maxLength === undefined,
    'no maxItems': schema.type === 'array' && schema.maxItems === undefined,
    'no list type': schema.type === 'array' && schema['x-kubernetes-list-type'] === undefined,
    'no items': schema.type === 'array' && schema.items === undefined,
    'no maxProperties': schema.additionalProperties !== undefined && schema.maxProperties === undefined,
    'no minimum': schema.type === 'integer' && schema.minimum === undefined,
    'no fields':
      schema.type === 'object' && schema.properties === undefined && schema.additionalProperties === undefined,
    'unknown fields kept': 'x-kubernetes-preserve-unknown-fields' in schema,
  };
  return Object.entries(faults).flatMap(([fault, present]) => (present ? [fault] : []));
}

function badRules(schema: Schema): readonly string[] {
  return (schema['x-kubernetes-validations'] ?? [])
    .filter(({ message, messageExpression }) => messageExpression === undefined && !isSentence(message ?? ''))
    .map(({ rule }) => `no sentence for ${rule}`);
}

/** Five words or more, no line break, no full stop: the API server puts its own words around it. */
function isSentence(message: string): boolean {
  return message.split(' ').length >= 5 && !/\n|\.$/.test(message);
}
