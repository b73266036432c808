/**
 * Every way in which an event can fail, and what the sender should do about it.
 * `retry: 'later'` becomes 503 (429 when throttled), `never` a 4xx, `bug` 500: design of the answers in docs/errors.md.
 * A `refused` write is permanent for the object: it becomes a condition and the event is done. `misuse` is no answer to anybody: a
 * person has named what is not there, on the command line or in the environment.
 */
export const errorCodes = {
  'not-a-cloud-event': { retry: 'never', status: 400 },
  'invalid-event': { retry: 'never', status: 400 },
  'invalid-json': { retry: 'never', status: 400 },
  'too-deep': { retry: 'never', status: 400 },
  'forbidden-key': { retry: 'never', status: 400 },
  'invalid-request': { retry: 'never', status: 400 },
  misuse: { retry: 'never', status: 400 },
  unauthenticated: { retry: 'never', status: 401 },
  'sender-not-allowed': { retry: 'never', status: 403 },
  'method-not-allowed': { retry: 'never', status: 405 },
  'too-large': { retry: 'never', status: 413 },
  'unsupported-media-type': { retry: 'never', status: 415 },
  'invalid-object': { retry: 'refused', status: 204 },
  'stored-broken': { retry: 'refused', status: 204 },
  'admission-denied': { retry: 'refused', status: 204 },
  'quota-exceeded': { retry: 'refused', status: 204 },
  'namespace-terminating': { retry: 'refused', status: 204 },
  conflict: { retry: 'later', status: 503 },
  'already-exists': { retry: 'later', status: 503 },
  gone: { retry: 'later', status: 503 },
  expired: { retry: 'later', status: 503 },
  'kind-not-served': { retry: 'later', status: 503 },
  unauthorized: { retry: 'later', status: 503 },
  throttled: { retry: 'later', status: 429 },
  'too-early': { retry: 'later', status: 503 },
  unavailable: { retry: 'later', status: 503 },
  'outcome-unknown': { retry: 'later', status: 503 },
  'not-permitted': { retry: 'bug', status: 500 },
  'unexpected-answer': { retry: 'bug', status: 500 },
  internal: { retry: 'bug', status: 500 },
} as const satisfies Record<string, { retry: 'never' | 'refused' | 'later' | 'bug'; status: number }>;

export type ErrorCode = keyof typeof errorCodes;

interface ErrorDetails {
  readonly cause?: unknown;
  /** Seconds after which a new try makes sense, as the API server said. */
  readonly retryAfterSeconds?: number;
  /** What was read and written before it. */
  readonly counts?: Counts;
}

interface Counts {
  readonly reads: number;
  readonly writes: number;
}

/**
 * The only error class: a code of the table, a sentence for people, and the cause. What each code means, and whether the event comes
 * again after it, is in docs/errors.md.
 */
export class KnudgeError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly counts: Counts | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'KnudgeError';
    this.code = code;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.counts = details.counts;
  }

  /** Also of the copy of this class in another bundle: what is loaded late is a file of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'KnudgeError';
  }

  get retry(): (typeof errorCodes)[ErrorCode]['retry'] {
    return errorCodes[this.code].retry;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** Any thrown value as a KnudgeError; what is not one is a fault of ours. */
export function asKnudgeError(thrown: unknown): KnudgeError {
  if (thrown instanceof KnudgeError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new KnudgeError('internal', message, { cause: thrown });
}
