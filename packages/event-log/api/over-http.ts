import type { Delivery, DeliveryFilter } from '../../controller/domain/delivery.ts';
import { type ErrorCode, errorCodes, KnudgeError } from '../../controller/domain/errors.ts';
import type {
  ChainPage,
  DeadLetter,
  EventSearch,
  Gap,
  LogReader,
  PageRequest,
  RecordedEvent,
} from '../../controller/domain/event-log.ts';

/** Where an event log listens, and what it is shown. */
export interface OverHttpParts {
  /** The address of the log's HTTP interface, without a slash at the end. */
  readonly url: string;
  /** Called before each request; absent if the log asks for no token. */
  readonly token?: () => Promise<string>;
  /** Why the last connection broke, if the port-forward knows more. */
  readonly said?: () => string | undefined;
}

/** The log of another process: it is read, and asked by `POST` to send events again. */
export interface LogOverHttp extends LogReader {
  /** Posts; returns the JSON of the answer. */
  post(path: string, body: unknown): Promise<unknown>;
}

/** Milliseconds for one answer: the log takes ten seconds at most. */
const patience = 30_000;

/** The most items that the log gives at once. */
const largestPage = 1000;

/**
 * The log as its HTTP interface shows it. Fails with a KnudgeError: `unavailable` without an answer, `unauthenticated` and
 * `not-permitted` if the token is refused, else with the code and the sentence of the answer.
 */
export function logOverHttp(parts: OverHttpParts): LogOverHttp {
  const get = (path: string, query: Query) => ask(parts, `${path}?${parametersOf(query)}`, { method: 'GET' });
  return {
    events: (filter, page) => readPages<RecordedEvent>(get, { path: '/events', name: 'events', filter, page }),
    deadLetters: (filter, page) =>
      readPages<DeadLetter>(get, { path: '/dead-letters', name: 'deadLetters', filter, page }),
    deliveries: (filter, page) => readPages<Delivery>(get, { path: '/deliveries', name: 'deliveries', filter, page }),
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
  /** The name of the list in the JSON. */
  readonly name: string;
  readonly filter: EventSearch | DeliveryFilter;
  readonly page: PageRequest;
}

/** Reads page after page: the log ends a page early when it gets large. */
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

/** fetch does not say why a connection broke; its cause does. */
function whyOf(thrown: unknown): string {
  const { message, cause } = thrown as Error & { readonly cause?: Error };
  return cause?.message || message;
}

function parsed({ status, text }: { readonly status: number; readonly text: string }): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KnudgeError('unexpected-answer', `what answers ${status} is not an event log: the answer is not JSON`);
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
