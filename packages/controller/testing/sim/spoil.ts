import type { JsonObject } from '../../../kube-api/json.ts';
import { textOf as textOfObject } from '../../../kube-api/text.ts';
import type { Ending } from '../../cluster/exchange.ts';
import { type ApiAnswer, garbled } from '../calls/spoilt-answer.ts';
import type { Action } from '../fault.ts';

/** An answer of the API server. */
export interface Replied {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON, or a text that is not JSON. */
  readonly body: unknown;
}

/** As it goes over the wire; of an object made once, however often it is asked for. */
export function textOf({ body }: Pick<Replied, 'body'>): string {
  if (body === undefined) return '';
  if (typeof body === 'string') return body;
  return typeof body === 'object' && body !== null ? textOfObject(body as JsonObject) : JSON.stringify(body);
}

/** The same as a fault on the wire takes it, and back. */
export function onWire({ status, headers, body }: Replied): ApiAnswer {
  return {
    status,
    contentType: String(headers['content-type'] ?? 'application/json'),
    headers: {},
    text: textOf({ body }),
  };
}

export function fromWire({ status, contentType, headers, text }: ApiAnswer): Replied {
  return { status, headers: { ...headers, 'content-type': contentType }, body: text };
}

/** The answer with its body spoilt; one that is longer than anybody takes is not made, but known to be so. */
export function spoilt(answer: Replied, how: Extract<Action, { do: 'garble' }>['how']): Ending {
  return how === 'huge' ? { kind: 'too-long', status: answer.status } : ending(fromWire(garbled(onWire(answer), how)));
}

/** What the caller gets of it. */
export function ending({ status, headers, body }: Replied): Ending {
  const retryAfter = headers['retry-after'];
  const answer = {
    contentType: String(headers['content-type'] ?? 'application/json'),
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    text: textOf({ body }),
  };
  return { kind: 'answered', status, answer };
}
