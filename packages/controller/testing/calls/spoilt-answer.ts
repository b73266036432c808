import type { Action } from '../fault.ts';

/** An answer of the API server, or one in its place. */
export interface ApiAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Besides the content type; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The answer that a fault gives in the place of the server's. */
export function answerInstead(action: Extract<Action, { do: 'answer' }>): ApiAnswer {
  const { status, reason, message, details, headers = {}, body, contentType = 'application/json' } = action;
  const code = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: status };
  const said = { ...code, ...(message !== undefined && { message }), ...(reason !== undefined && { reason }) };
  const text = body ?? JSON.stringify({ ...said, ...(details !== undefined && { details }) });
  return { status, contentType, headers, text };
}

/** The server's answer with its body spoilt; its status stays. */
export function garbled(answer: ApiAnswer, how: Extract<Action, { do: 'garble' }>['how']): ApiAnswer {
  switch (how) {
    case 'cut':
      return { ...answer, text: answer.text.slice(0, Math.floor(answer.text.length / 2)) };
    case 'not-json':
      return { ...answer, contentType: 'text/html', text: '<html><body>It works!</body></html>' };
    case 'other-kind':
      return { ...answer, text: JSON.stringify({ kind: 'SomethingElse', apiVersion: 'v1', metadata: {} }) };
    case 'huge':
      return { ...answer, text: `${' '.repeat(hugeBytes)}${answer.text}` };
  }
}

/** More than Knudge takes (32 MiB), and JSON still. */
const hugeBytes = 33 * 1024 * 1024;

/** A list with nothing or only its first half in it; any other answer as it is. */
export function shortened(answer: ApiAnswer, to: 'nothing' | 'half'): ApiAnswer {
  const list = jsonOf(answer) as { items?: unknown } | undefined;
  if (answer.status !== 200 || !Array.isArray(list?.items)) return answer;
  const items: readonly unknown[] = list.items;
  const kept = to === 'nothing' ? 0 : Math.floor(items.length / 2);
  return { ...answer, text: JSON.stringify({ ...list, items: items.slice(0, kept) }) };
}

/** The JSON of an answer; undefined where it is not JSON. Many ask for it, and it is read once: nobody may change it. */
export function jsonOf(answer: Pick<ApiAnswer, 'text'>): unknown {
  if (!known.has(answer)) known.set(answer, parsed(answer.text));
  return known.get(answer);
}

const known = new WeakMap<Pick<ApiAnswer, 'text'>, unknown>();

/** The JSON of a text; undefined where it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
