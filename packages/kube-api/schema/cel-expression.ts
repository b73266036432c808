import type { Environment, ParseResult, TypeCheckResult } from '@marcbachmann/cel-js';

/** An expression that was parsed, or the fault that keeps it from being so. */
export type Parsed = ParseResult | { readonly error: unknown };

export function parse(env: Environment, expression: string): Parsed {
  try {
    return env.parse(expression);
  } catch (error) {
    return { error };
  }
}

export function checkOf(parsed: Parsed): TypeCheckResult {
  return 'ast' in parsed ? parsed.check() : ({ valid: false, error: parsed.error } as TypeCheckResult);
}

/** The value in this context; throws what the expression does wrong. */
export function run(parsed: Parsed, context: Readonly<Record<string, unknown>>): unknown {
  if ('ast' in parsed) return parsed(context);
  throw parsed.error;
}
