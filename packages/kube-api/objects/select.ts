import { labelKey } from '../checks/names.ts';
import { badRequest } from '../http/problem.ts';

type Operator = 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';

/** One requirement on one label. */
interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

type Labels = Readonly<Record<string, unknown>>;

/** A label selector in its text form as a test of labels; throws 400 in the words of apimachinery's parser. */
export function parseLabelSelector(text: string): (labels: Labels) => boolean {
  const requirements = parseAll(tokenize(text));
  return (labels) => requirements.every((requirement) => fits(requirement, labels));
}

function fits({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? String(labels[key]) : undefined;
  const isNumber = value !== undefined && /^-?\d+$/.test(value);
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'gt':
      return isNumber && Number(value) > Number(values[0]);
    case 'lt':
      return isNumber && Number(value) < Number(values[0]);
  }
}

const tokens = /\s*(==|!=|[=!<>(),]|[^\s=!<>(),]+)/y;
const symbols = new Set(['=', '==', '!=', '!', '<', '>', '(', ')', ',']);

function tokenize(text: string): string[] {
  return [...text.trim().matchAll(new RegExp(tokens, 'gy'))].map((match) => match[1] ?? '');
}

function parseAll(queue: string[]): readonly Requirement[] {
  const requirements: Requirement[] = [];
  while (queue.length > 0) {
    const first = queue[0] ?? '';
    if (symbols.has(first) && first !== '!')
      throw badRequest(`found '${first}', expected: !, identifier, or 'end of string'`);
    requirements.push(parseOne(queue));
    const separator = queue.shift();
    if (separator === undefined) break;
    if (separator !== ',') throw badRequest(`found '${separator}', expected: ',' or 'end of string'`);
    const next = queue[0] ?? '';
    if (next === '' || (symbols.has(next) && next !== '!')) {
      throw badRequest(`found '${next}', expected: identifier after ','`);
    }
  }
  return requirements;
}

function parseOne(queue: string[]): Requirement {
  const isAbsent = queue[0] === '!';
  if (isAbsent) queue.shift();
  const key = queue.shift() ?? '';
  if (key === '' || symbols.has(key)) throw wrong(`found '${key}', expected: identifier`);
  const faults = labelKey(key);
  if (faults.length > 0) throw wrong(`<nil>: Invalid value: ${JSON.stringify(key)}: ${faults.join('; ')}`);
  if (isAbsent) return { key, operator: 'absent', values: [] };
  if (queue.length === 0 || queue[0] === ',') return { key, operator: 'exists', values: [] };
  const sign = queue.shift() ?? '';
  switch (sign) {
    case 'in':
    case 'notin':
      return { key, operator: sign, values: checked(key, parseSet(queue)) };
    case '=':
    case '==':
      return { key, operator: 'in', values: checked(key, [parseValue(queue)]) };
    case '!=':
      return { key, operator: 'notin', values: checked(key, [parseValue(queue)]) };
    case '>':
    case '<':
      return { key, operator: sign === '>' ? 'gt' : 'lt', values: [parseNumber(queue)] };
    default:
      throw wrong(`found '${sign}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

function parseSet(queue: string[]): readonly string[] {
  const opening = queue.shift() ?? '';
  if (opening !== '(') throw wrong(`found '${opening}' expected: '('`);
  const values = [''];
  for (;;) {
    const token = queue.shift() ?? '';
    if (token === ')') return values;
    if (token === ',') values.push('');
    else if (token === '' || symbols.has(token) || values.at(-1) !== '')
      throw wrong(`found '${token}', expected: ',' or ')'`);
    else values[values.length - 1] = token;
  }
}

function parseValue(queue: string[]): string {
  if (queue.length === 0 || queue[0] === ',') return '';
  const value = queue.shift() ?? '';
  if (symbols.has(value)) throw wrong(`found '${value}', expected: identifier`);
  return value;
}

function parseNumber(queue: string[]): string {
  const value = parseValue(queue);
  if (/^[-+]?\d+$/.test(value)) return value;
  throw wrong(
    `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
  );
}

function checked(key: string, values: readonly string[]): readonly string[] {
  const bad = values.findIndex(
    (value) => !/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/.test(value) || value.length > 63,
  );
  if (bad < 0) return values;
  throw wrong(`values[${bad}][${key}]: Invalid value: ${JSON.stringify(values[bad])}: ${valueRule}`);
}

function wrong(why: string) {
  return badRequest(`unable to parse requirement: ${why}`);
}

const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
