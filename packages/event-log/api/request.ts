import type { PlainRequest } from '../../controller/domain/plain-request.ts';

/** A request to the event log's HTTP interface. */
export interface LogRequest extends PlainRequest {
  /** What stands in the path for the names of its route, decoded: `id` of `/events/:id`. */
  readonly params: Readonly<Record<string, string>>;
  /** Aborts when nobody waits for the answer any more: the client has gone, or it comes too late. */
  readonly over?: AbortSignal;
}

/** An answer as a value. */
export interface LogAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer with a value as JSON. */
export function answerJson(status: number, value: unknown): LogAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A refusal of a request (never of an event), with a code and a sentence as other errors have them. */
export function refuse(status: 401 | 403 | 404, message: string): LogAnswer {
  const codes = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not-found' } as const;
  const answer = answerJson(status, { code: codes[status], message });
  return status === 401 ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } } : answer;
}
