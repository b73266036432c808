import { type ErrorCode, errorCodes, KnudgeError } from '../../controller/domain/errors.ts';
import type {
  ChainPage,
  DeadLetter,
  EventFilter,
  Gap,
  LogReader,
  PageRequest,
  RecordedEvent,
} from '../../controller/domain/event-log.ts';

export interface OverHttpParts {
  /** Of the log's HTTP interface, without a slash at the end. */
  readonly url: string;
  /** Asked before each request; absent where the log asks for none. */
  readonly token?: () => Promise<string>;
  /** Why the last connection broke, where somebody knows better. */
  readonly said?: () => string | undefined;
}

export interface LogOverHttp extends LogReader {
  /** Gives the JSON of the answer. */
  post(path: string, body: unknown): Promise<unknown>;
}

/** Milliseconds for one answer: the log thinks for ten seconds at most. */
const patience = 30_000;

/** As many as the log gives at once. */
const largestPage = 1000;

/**
 * The log as its HTTP interface shows it. Fails with a KnudgeError: `unavailable` where nobody answers, `unauthenticated` and
 * `not-permitted` where the token is not good enough, else with the code and the sentence of the answer.
 */
export function logOverHttp(parts: OverHttpParts): LogOverHttp {
  const get = (path: string, query: Query) => ask(parts, `${path}?${parametersOf(query)}`, { method: 'GET' });
  return {
    events: (filter, page) => readPages<RecordedEvent>(get, { path: '/events', name: 'events', filter, page }),
    deadLetters: (filter, page) =>
      readPages<DeadLetter>(get, { path: '/dead-letters', name: 'deadLetters', filter, page }),
    gaps: async ({ order, limit }) => {
      const answer = await get('/gaps', { order, limit: Math.min(limit, largestPage) });
      return (answer as { readonly gaps: readonly Gap[] }).gaps;
    },
    chain: async (after, limit) =>
      (await get('/events', { chain: 'true', after, limit: Math.min(limit, largestPage) })) as ChainPage,
    count: async (filter, of) => {
      const answer = await get(`/${of}`, { ...filter, limit: 1, total: 'true' });
      return (answer as { readonly total: number }).total;
    },
    post: (path, body) =>
      ask(parts, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

type Query = Readonly<Record<string, string | number | undefined>>;

function parametersOf(query: Query): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters;
}

interface Pages {
  readonly path: string;
  /** What they are called in the JSON. */
  readonly name: string;
  readonly filter: EventFilter;
  readonly page: PageRequest;
}

/** The log ends a page where it gets large: then the next is asked for. */
async function readPages<Item extends { readonly seq: number }>(
  get: (path: string, query: Query) => Promise<unknown>,
  { path, name, filter, page: { order, limit } }: Pages,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let place = {}; items.length < limit; ) {
    const wanted = Math.min(limit - items.length, largestPage);
    const answer = (await get(path, { ...filter, ...place, order, limit: wanted })) as Readonly<
      Record<string, readonly Item[]>
    >;
    items.push(...(answer[name] ?? []));
    const last = items.at(-1)?.seq;
    if (answer['next'] === undefined || last === undefined) break;
    place = order === 'newest-first' ? { before: last } : { after: last };
  }
  return items;
}

async function ask({ url, token, said }: OverHttpParts, path: string, init: RequestInit): Promise<unknown> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${await token()}` };
  const headers = { ...init.headers, ...authorization };
  let answer: { readonly status: number; readonly text: string };
  try {
    const response = await fetch(`${url}${path}`, { ...init, headers, signal: AbortSignal.timeout(patience) });
    answer = { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new KnudgeError('unavailable', `the event log does not answer: ${said?.() ?? whyOf(cause)}`, { cause });
  }
  if (answer.status < 300) return parsed(answer);
  throw refusalOf(answer);
}

/** Of a connection that broke, fetch says nothing but that: its cause does. */
function whyOf(thrown: unknown): string {
  const { message, cause } = thrown as Error & { readonly cause?: Error };
  return cause?.message || message;
}

function parsed({ status, text }: { readonly status: number; readonly text: string }): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KnudgeError('unexpected-answer', `what answers ${status} is no event log: it answers no JSON`);
  }
}

const ofStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  403: 'not-permitted',
  404: 'invalid-request',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

function refusalOf(answer: { readonly status: number; readonly text: string }): KnudgeError {
  const { code, message } = saidIn(answer.text);
  const known = code !== undefined && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : undefined;
  const found = known ?? ofStatus[answer.status] ?? 'unexpected-answer';
  return new KnudgeError(found, `the event log answers ${answer.status}${message === undefined ? '' : `: ${message}`}`);
}

function saidIn(text: string): { readonly code?: string; readonly message?: string } {
  try {
    const { code, message } = JSON.parse(text) as { readonly code?: unknown; readonly message?: unknown };
    return { ...(typeof code === 'string' && { code }), ...(typeof message === 'string' && { message }) };
  } catch {
    return {};
  }
}
