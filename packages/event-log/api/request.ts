import type { PlainRequest } from '../../controller/domain/plain-request.ts';

/** What somebody asks of the event log over HTTP. */
export type LogRequest = PlainRequest;

/** An answer as a value. */
export interface LogAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A value as JSON. */
export function answerJson(status: number, value: unknown): LogAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A refusal that no event ever gets: with a code and a sentence, as other errors have them. */
export function refuse(status: 401 | 403 | 404, message: string): LogAnswer {
  const codes = { 401: 'unauthenticated', 403: 'forbidden', 404: 'not-found' } as const;
  const answer = answerJson(status, { code: codes[status], message });
  return status === 401 ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } } : answer;
}
