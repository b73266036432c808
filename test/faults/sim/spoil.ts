import type { Ending } from '../../../src/kube/exchange.ts';
import type { Action } from '../plan.ts';

/** An answer of the API server. */
export interface Replied {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON, or a text that is none. */
  readonly body: unknown;
}

/** As it goes over the wire. */
export function textOf({ body }: Pick<Replied, 'body'>): string {
  if (body === undefined) return '';
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The answer that a fault has chosen: as it says, or a Status. */
export function refusalAnswer(action: Extract<Action, { do: 'answer' }>): Replied {
  const { status, reason = '', message = '', details, headers = {}, contentType = 'application/json' } = action;
  const said = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code: status,
  };
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    status,
    headers: { 'content-type': contentType, ...Object.fromEntries(named) },
    body: action.body ?? said,
  };
}

/** The answer as a broken server or wire would give it. */
export function spoilt(
  { status, headers, body: json }: Replied,
  how: Extract<Action, { do: 'garble' }>['how'],
  maxBytes: number,
): Ending {
  const text = textOf({ body: json });
  if (how === 'huge' && text.length + 64 * 1024 * 1024 > maxBytes) return { kind: 'too-long', status };
  const body = garbled(text, how);
  const contentType = how === 'not-json' ? 'text/html' : String(headers['content-type'] ?? 'application/json');
  return { kind: 'answered', status, answer: { contentType, retryAfter: undefined, text: body } };
}

function garbled(text: string, how: Extract<Action, { do: 'garble' }>['how']): string {
  switch (how) {
    case 'cut':
      return text.slice(0, Math.floor(text.length / 2));
    case 'not-json':
      return '<html><body>gateway</body></html>';
    case 'other-kind':
      return JSON.stringify({
        apiVersion: 'v1',
        kind: 'Lease',
        metadata: { name: 'other', namespace: 'other', uid: 'x', resourceVersion: '1' },
      });
    case 'huge':
      return text;
  }
}

/** A list with none or half of its items. */
export function shortened(answer: Replied, to: 'nothing' | 'half'): Replied {
  if (answer.status !== 200) return answer;
  const list = answer.body as { readonly items?: readonly unknown[] };
  const items = list.items ?? [];
  const kept = to === 'nothing' ? [] : items.slice(0, Math.floor(items.length / 2));
  return { ...answer, body: { ...list, items: kept } };
}
