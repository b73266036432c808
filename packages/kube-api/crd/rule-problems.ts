import type { TypeCheckResult } from '@marcbachmann/cel-js';
import type { Cause } from '../http/problem.ts';
import { rulesOf } from '../schema/cel.ts';
import type { Rule, Schema } from '../schema/schema.ts';
import { invalidValue, required } from '../schema/texts.ts';

/** Whether the node is the root of a resource, and the list around it whose items cannot be matched with the earlier ones. */
interface Place {
  readonly isRoot: boolean;
  readonly loose: string | undefined;
}

/** The rules on a node of a schema that cannot run, because they are wrong or use what does not exist. */
export function ruleProblems(schema: Schema, at: string, { isRoot, loose }: Place): readonly Cause[] {
  return rulesOf(schema, isRoot).flatMap(({ rule, usesOldSelf, checked, messageChecked }, index) => {
    const field = `${at}.x-kubernetes-validations[${index}]`;
    if (rule.rule.trim() === '') return [required(`${field}.rule`, 'rule is not specified')];
    const lost = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${loose}`;
    const { messageExpression = '' } = rule;
    return [
      ...(usesOldSelf && loose !== undefined ? [invalidValue(`${field}.rule`, rule.rule, lost)] : []),
      ...faultOf(rule, checked, { field: `${field}.rule`, wanted: 'bool', expression: rule.rule }),
      ...(messageChecked === undefined
        ? []
        : faultOf(rule, messageChecked, {
            field: `${field}.messageExpression`,
            wanted: 'string',
            expression: messageExpression,
          })),
    ];
  });
}

interface Expression {
  readonly field: string;
  readonly wanted: 'bool' | 'string';
  readonly expression: string;
}

function faultOf(
  rule: Rule,
  { valid, type = '', error }: TypeCheckResult,
  { field, wanted, expression }: Expression,
): readonly Cause[] {
  const { message = '', messageExpression = '', reason = null, fieldPath = '', optionalOldSelf = null } = rule;
  const shown = {
    Rule: rule.rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf,
  };
  const what = wanted === 'bool' ? '' : 'messageExpression ';
  if (!valid) return [invalidValue(field, shown, `${what}compilation failed: ${compileError(error, expression)}`)];
  if (type === wanted || type === 'dyn') return [];
  return [
    invalidValue(
      field,
      shown,
      wanted === 'bool' ? 'cel expression must evaluate to a bool' : `${what}must evaluate to a string`,
    ),
  ];
}

const unfinished =
  "Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** The library's error in the form of the server's, with the place below: `ERROR: <input>:1:5: undefined field 'foo'`. */
export function compileError(error: unknown, expression: string): string {
  const { message = '', range } = (error ?? {}) as { message?: string; range?: { start: number } };
  const [said = ''] = message.split('\n');
  const {
    field,
    left,
    operator = '',
    right,
  } = /^No such key: (?<field>.*)$|^no such overload: (?<left>\S+) (?<operator>\S+) (?<right>\S+)$/.exec(said)
    ?.groups ?? {};
  const start = range?.start ?? 0;
  const place = field !== undefined ? start - 1 : left !== undefined ? expression.indexOf(operator, start) : start;
  const words =
    field !== undefined
      ? `undefined field '${field}'`
      : left !== undefined
        ? `found no matching overload for '_${operator}_' applied to '(${left}, ${right})'`
        : said === 'Unexpected token: EOF'
          ? unfinished
          : said;
  const before = expression.slice(0, place).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = expression.split('\n')[before.length - 1];
  return `ERROR: <input>:${before.length}:${column + 1}: ${words}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
