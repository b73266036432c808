import type { ASTNode, TypeCheckResult } from '@marcbachmann/cel-js';
import { Optional } from '@marcbachmann/cel-js';
import type { Json } from '../json.ts';
import { checkOf, parse, run } from './cel-expression.ts';
import { celEnvironment } from './cel-library.ts';
import type { CelType } from './cel-types.ts';
import { declareType } from './cel-types.ts';
import type { Rule, Schema } from './schema.ts';

/** A rule that was compiled for its schema. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly usesOldSelf: boolean;
  /** True, false or a text; throws what the rule does wrong with this value. */
  readonly holds: (self: Json, oldSelf: Json | undefined) => unknown;
  readonly message: (self: Json, oldSelf: Json | undefined) => unknown;
  readonly checked: TypeCheckResult;
  readonly messageChecked: TypeCheckResult | undefined;
}

/** Kubernetes' functions; to be cloned, and not changed. */
export const library = celEnvironment();
const compiled = new WeakMap<Schema, readonly CompiledRule[]>();

/** The rules on one node of a schema, compiled once; the node is the root of a resource if `isRoot`. */
export function rulesOf(schema: Schema, isRoot: boolean): readonly CompiledRule[] {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule) => compile(schema, rule, isRoot));
  compiled.set(schema, rules);
  return rules;
}

function compile(schema: Schema, rule: Rule, isRoot: boolean): CompiledRule {
  const env = library.clone();
  const type = declareType(env, schema, isRoot) ?? { name: 'dyn', value: (json: Json) => json };
  env.registerVariable('self', type.name);
  env.registerVariable('oldSelf', rule.optionalOldSelf === true ? `optional<${type.name}>` : type.name);
  const expression = parse(env, rule.rule);
  const message = rule.messageExpression === undefined ? undefined : parse(env, rule.messageExpression);
  const context = (self: Json, oldSelf: Json | undefined) => ({
    self: type.value(self),
    oldSelf: older(type, rule, oldSelf),
  });
  return {
    rule,
    usesOldSelf: 'ast' in expression && names(expression.ast, 'oldSelf'),
    holds: (self, oldSelf) => run(expression, context(self, oldSelf)),
    message: (self, oldSelf) => message && run(message, context(self, oldSelf)),
    checked: checkOf(expression),
    messageChecked: message && checkOf(message),
  };
}

function older(type: CelType, { optionalOldSelf }: Rule, oldSelf: Json | undefined): unknown {
  const value = oldSelf === undefined ? undefined : type.value(oldSelf);
  if (optionalOldSelf !== true) return value;
  return value === undefined ? Optional.none() : Optional.of(value);
}

function names(node: ASTNode, name: string): boolean {
  if (node.op === 'id') return node.args === name;
  const inside = (part: unknown): boolean =>
    Array.isArray(part)
      ? part.some(inside)
      : typeof part === 'object' && part !== null && 'op' in part && names(part as ASTNode, name);
  return inside(node.args);
}
