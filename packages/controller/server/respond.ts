import type { ServerResponse } from 'node:http';
import { KnudgeError } from '../domain/errors.ts';
import { describe, type ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import { encode } from '../wire/encode.ts';
import { errorBody } from './error-body.ts';
import { redact } from './redact.ts';

/** An answer as a value. An empty body means none. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Called once nothing of it is left to be sent. */
  readonly sent?: () => void;
}

/**
 * What a sender gets when an event is done: 204 and nothing, because the Broker takes a success with a body that is
 * no CloudEvent for a failure. An event to answer with goes out in binary mode with 200: the Broker takes it as a new
 * one. A dry run answers 200 with its plans, without the data of Secrets.
 */
export function answerOutcome(outcome: Outcome): Answer {
  const { result, plans, reply } = outcome;
  const headers = headersOf(outcome);
  if (result === 'planned') {
    return {
      status: 200,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ plans: redact(plans ?? []) }),
    };
  }
  if (reply === undefined) return { status: 204, headers, body: '' };
  const encoded = encode(reply);
  return { status: 200, headers: { ...encoded.headers, ...headers }, body: encoded.body };
}

function headersOf({ result, reads, writes, events, parents = [] }: Outcome): Readonly<Record<string, string>> {
  const sent = events === undefined ? '' : `; sent=${events.sent}; failed=${events.failed}`;
  const outcome = { 'knudge-outcome': `${result}; reads=${reads}; writes=${writes}${sent}` };
  return parents.length === 0 ? outcome : { ...outcome, 'knudge-parents': namesOf(parents) };
}

/** At most this many parents are named in an answer; headers have no room for a thousand that share one object. */
const mostNamed = 5;

/** In ASCII, whatever they are called: Node refuses a header with anything else. */
function namesOf(parents: readonly ObjectRef[]): string {
  const named = parents.slice(0, mostNamed).map((parent) => describe(parent).replace(/[^\x20-\x7e]/g, '?'));
  const more = parents.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * What a sender gets for an error: the status of its code and `{code, message}` in at most 512 bytes, `Retry-After`
 * where a new try makes sense. A fault of ours keeps its details for the log. A refusal is permanent for the object,
 * so the event is done.
 */
export function answerError(error: KnudgeError): Answer {
  if (error.retry === 'refused') return answerOutcome({ result: 'done', reads: 0, writes: 0, ...error.counts });
  const message =
    error.retry === 'bug'
      ? 'a fault of Knudge or of its permissions: the log of this function says more'
      : error.message;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  // RFC 9110, 15.5.2: it must say what would help.
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.retry === 'later') headers['retry-after'] = String(retryAfter(error.retryAfterSeconds));
  return { status: error.status, headers, body: errorBody(error.code, message) };
}

/** Whole seconds, at least one; an hour is more than any sender waits. */
function retryAfter(seconds = 1): number {
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), 3600) : 1;
}

/** Writes the whole answer at once; never streamed, since a proxy that loses patience appends to what has begun. */
export function send(response: ServerResponse, answer: Answer, lastOnConnection: boolean): void {
  const { status, headers, body, sent } = answer;
  if (response.headersSent || response.destroyed) {
    sent?.();
    return;
  }
  if (sent !== undefined) response.once('close', sent);
  const all: Record<string, string | number> = { ...headers };
  if (status !== 204) all['content-length'] = Buffer.byteLength(body);
  if (lastOnConnection) all['connection'] = 'close';
  response.writeHead(status, all).end(body);
}

/** The same answer, at whose end nothing is thrown: Node would end the process for what a listener throws. */
export function endSafely(answer: Answer, onFailure: (error: unknown) => void): Answer {
  const { sent } = answer;
  if (sent === undefined) return answer;
  const safely = (): void => {
    try {
      sent();
    } catch (error) {
      onFailure(error);
    }
  };
  return { ...answer, sent: safely };
}

/** An answer with a text, for people and probes. */
export function answerText(status: number, text: string, contentType = 'text/plain; charset=utf-8'): Answer {
  return { status, headers: { 'content-type': contentType }, body: text };
}

/** The answer where a path is there, but not for this method. */
export function wrongMethod(allowed: string): Answer {
  const refusal = answerError(new KnudgeError('method-not-allowed', `only ${allowed} is taken here`));
  return { ...refusal, headers: { ...refusal.headers, allow: allowed } };
}
