import type { Action, CallVerb, Meddling } from '../../../packages/controller/testing/fault.ts';
import { fieldsOf, type Node, oneOf, textOf, wholeOf } from './reading.ts';

const actions = ['crash', 'hang', 'reset', 'answer', 'garble', 'delay', 'stale', 'shorten', 'meddle'] as const;
const garblings = ['cut', 'not-json', 'other-kind', 'huge'] as const;
/** The ways in which somebody else comes between. */
export const meddlings = [
  'touch',
  'delete',
  'replace',
  'squat',
  'edit-parent',
  'delete-parent',
  'recreate-parent',
] as const satisfies readonly Meddling[];

/** An action as a plan says it, for a call of this verb. */
export function parseAction(node: Node, verb: CallVerb): Action {
  const { value, path, fail } = node;
  const what = oneOf({ value: (value as { do?: unknown } | null)?.do, path: [...path, 'do'], fail }, actions);
  const only = <const Name extends string>(...needed: Name[]) => fieldsOf(node, { needed: ['do', ...needed] });
  switch (what) {
    case 'crash':
    case 'hang':
    case 'reset':
      only();
      return { do: what };
    case 'answer':
      return parseAnswer(node);
    case 'garble':
      return { do: what, how: oneOf(only('how').how, garblings) };
    case 'delay':
      return { do: what, ms: wholeOf(only('ms').ms, 1) };
    case 'stale':
      only();
      if (verb !== 'get' && verb !== 'list') fail(path, `only a read can be stale, and this is ${verb}`);
      return { do: what };
    case 'shorten':
      if (verb !== 'list') fail(path, `only a list can be shortened, and this is ${verb}`);
      return { do: what, to: oneOf(only('to').to, ['nothing', 'half']) };
    case 'meddle':
      return { do: what, how: oneOf(only('how').how, meddlings) };
  }
}

function parseAnswer(node: Node): Action {
  const fields = fieldsOf(node, {
    needed: ['do', 'status'],
    possible: ['reason', 'message', 'details', 'headers', 'body', 'contentType'],
  });
  const { reason, message, details, headers, body, contentType } = fields;
  const text = (field: Node | undefined, name: string) => field && { [name]: anyText(field) };
  return {
    do: 'answer',
    status: wholeOf(fields.status, 200, 599),
    ...text(reason, 'reason'),
    ...text(message, 'message'),
    ...(details && { details: recordOf(details) }),
    ...(headers && { headers: headersOf(headers) }),
    ...text(body, 'body'),
    ...(contentType && { contentType: textOf(contentType) }),
  };
}

/** A text that may be empty: a Status without a reason has the empty one. */
function anyText({ value, path, fail }: Node): string {
  return typeof value === 'string' ? value : fail(path, 'must be a text');
}

function recordOf({ value, path, fail }: Node): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(path, 'must be an object');
  return { ...value };
}

function headersOf(node: Node): Readonly<Record<string, string>> {
  const entries = Object.entries(recordOf(node)).map(([name, value]) => {
    if (name !== name.toLowerCase()) node.fail([...node.path, name], 'must be in lower case');
    return [name, anyText({ ...node, value, path: [...node.path, name] })];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}
