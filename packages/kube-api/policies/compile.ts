import type { Environment } from '@marcbachmann/cel-js';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { library } from '../schema/cel.ts';
import type { Parsed } from '../schema/cel-expression.ts';
import { parse } from '../schema/cel-expression.ts';
import { objectsIn } from './match.ts';
import { declareRequest } from './request-type.ts';

/** An expression, and its text for the sentence about a failure. */
export interface Expression {
  readonly text: string;
  readonly parsed: Parsed;
}

/** A ValidatingAdmissionPolicy whose expressions were parsed. */
export interface Policy {
  readonly name: string;
  readonly spec: JsonObject;
  readonly conditions: readonly Expression[];
  readonly variables: readonly (readonly [string, Expression])[];
  readonly validations: readonly Validation[];
}

export interface Validation {
  readonly expression: Expression;
  readonly message: Expression | undefined;
  readonly given: JsonObject;
}

/** Where all expressions of policies are parsed; made for the first policy. */
let environment: { readonly env: Environment; readonly requestOf: (request: JsonObject) => unknown } | undefined;

function prepared() {
  if (environment !== undefined) return environment;
  const env = library.clone();
  const requestOf = declareRequest(env);
  for (const name of ['object', 'oldObject', 'namespaceObject', 'params', 'variables'])
    env.registerVariable(name, 'dyn');
  environment = { env, requestOf };
  return environment;
}

/** A request as expressions see it. */
export function requestValue(request: JsonObject): unknown {
  return prepared().requestOf(request);
}

function expressionOf(text: string): Expression {
  return { text, parsed: parse(prepared().env, text) };
}

const compiled = new WeakMap<JsonObject, Policy>();

/** The policy of a stored object, compiled once for each version of it. */
export function policyOf(object: JsonObject): Policy {
  const known = compiled.get(object);
  if (known !== undefined) return known;
  const spec = objectAt(object, 'spec');
  const policy = {
    name: String(objectAt(object, 'metadata')['name']),
    spec,
    conditions: objectsIn(spec['matchConditions']).map(expressionIn),
    variables: objectsIn(spec['variables']).map((one) => [String(one['name']), expressionIn(one)] as const),
    validations: objectsIn(spec['validations']).map((given) => ({
      given,
      expression: expressionIn(given),
      message: given['messageExpression'] ? expressionOf(String(given['messageExpression'])) : undefined,
    })),
  };
  compiled.set(object, policy);
  return policy;
}

function expressionIn({ expression = '' }: JsonObject): Expression {
  return expressionOf(String(expression));
}
