/** A refusal, in the words of the event log. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** All of the answer, which may say more than why. */
  readonly answer: { readonly message: string };
  constructor(status: number, code: string, answer: { readonly message: string }) {
    super(answer.message);
    this.status = status;
    this.code = code;
    this.answer = answer;
  }
  /** What is served here cannot answer this, and says in its message why not. */
  get isMissing(): boolean {
    return this.status === 404 || this.status === 405 || /nothing at this path/.test(this.message);
  }
}

/** Milliseconds until a question without an answer has failed: the next one of its kind waits for it. */
const patience = 120_000;

/** Asks the event log by GET. Throws ApiError. */
export function get<Value>(path: string): Promise<Value> {
  return ask<Value>(path, { signal: AbortSignal.timeout(patience) });
}

/** Asks the event log by POST. Throws ApiError. */
export function post<Value>(path: string, body: object): Promise<Value> {
  return ask<Value>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The API is below the address of the pages. */
export function addressOf(path: string): string {
  return path.startsWith('/console/') ? path : `/console/api${path}`;
}

async function ask<Value>(path: string, init: RequestInit): Promise<Value> {
  const response = await fetch(addressOf(path), { ...init, credentials: 'same-origin' }).catch((error: unknown) => {
    const message = `The event log does not answer (${String(error)}). Does it still run?`;
    throw new ApiError(0, 'unreachable', { message });
  });
  if (!response.ok) throw await refusalOf(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Value;
}

/** Why an answer is a refusal. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const answer = JSON.parse(text) as { readonly code?: string; readonly message?: string };
    const { code = '', message = text } = answer;
    return new ApiError(response.status, code, { ...answer, message });
  } catch {
    return new ApiError(response.status, '', { message: text || `the event log answered ${response.status}` });
  }
}
