import { convert } from '../builtin/events.ts';
import type { ServerContext } from '../http/request.ts';
import type { JsonObject } from '../json.ts';
import { run } from '../schema/cel-expression.ts';
import { untyped } from '../schema/cel-types.ts';
import type { Kind } from '../schema/kind.ts';
import type { Attempt } from './attempt.ts';
import { isNamespace, requestOf } from './attempt.ts';
import type { Expression, Policy, Validation } from './compile.ts';
import { requestValue } from './compile.ts';

/** Why a policy denies a write. */
export interface Denial {
  readonly message: string;
  /** A reason of metav1.Status. */
  readonly reason: string;
}

type Context = Readonly<Record<string, unknown>>;

const value = untyped({});

/** Why a policy denies a write that its constraints take; empty if it does not. */
export function denialsOf(
  world: ServerContext,
  policy: Policy,
  { attempt, matched }: { attempt: Attempt; matched: Kind },
): readonly Denial[] {
  const isStrict = policy.spec['failurePolicy'] !== 'Ignore';
  const failed = (message: string): readonly Denial[] => (isStrict ? [{ message, reason: 'Invalid' }] : []);
  const context = contextOf(world, policy, { attempt, matched });
  const conditions = policy.conditions.map((condition) => resultOf(condition, context));
  if (conditions.some((result) => result.value === false)) return [];
  const errors = conditions.flatMap(({ error }) => (error === undefined ? [] : [error]));
  if (errors.length > 0) return failed(errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`);
  return policy.validations.flatMap((validation) => {
    const result = resultOf(validation.expression, context);
    if (result.error !== undefined) return failed(result.error);
    return result.value === true ? [] : [denialOf(validation, context)];
  });
}

function contextOf(
  world: ServerContext,
  policy: Policy,
  { attempt, matched }: { attempt: Attempt; matched: Kind },
): Context {
  const version = (object: JsonObject | undefined) => (object === undefined ? null : value(convert(object, matched)));
  const { namespace } = attempt.target;
  const around =
    isNamespace(attempt.target) || namespace === ''
      ? undefined
      : { resource: 'namespaces', namespace: '', name: namespace };
  const given = {
    object: version(attempt.object),
    oldObject: version(attempt.oldObject),
    request: requestValue(requestOf(attempt, matched)),
    namespaceObject: value((around && world.store.get(around)) ?? null),
    params: null,
  };
  const variables = {};
  const context = { ...given, variables };
  for (const [name, expression] of policy.variables)
    defineLazily(variables, name, () => run(expression.parsed, context));
  return context;
}

/** A variable is computed when an expression first uses it, once. */
function defineLazily(variables: object, name: string, compute: () => unknown): void {
  let result: { readonly value: unknown } | undefined;
  const get = () => {
    result ??= { value: compute() };
    return result.value;
  };
  Object.defineProperty(variables, name, { get, enumerable: true });
}

interface Result {
  readonly value?: unknown;
  readonly error?: string;
}

function resultOf({ text, parsed }: Expression, context: Context): Result {
  try {
    return { value: run(parsed, context) };
  } catch (error) {
    const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { error: `expression '${text}' resulted in error: ${inWordsOfGo(said)}` };
  }
}

function inWordsOfGo(said: string): string {
  return said.replace(/^No such key: /, 'no such key: ');
}

/** The message of the expression for it, or else the given one, or else the expression that failed. */
function denialOf({ given, expression, message }: Validation, context: Context): Denial {
  const result = message === undefined ? undefined : resultOf(message, context).value;
  const computed = typeof result === 'string' && !result.trim().includes('\n') ? result.trim() : '';
  const said = computed || String(given['message'] ?? '').trim() || `failed expression: ${expression.text.trim()}`;
  return { message: said, reason: String(given['reason'] ?? 'Invalid') };
}
