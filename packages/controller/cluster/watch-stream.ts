import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { KnudgeError } from '../domain/errors.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import { secondsOf } from '../domain/retry-after.ts';
import { type LineLimits, linesOf, within } from './lines.ts';
import { toApiStatus } from './status-body.ts';

/** A change as the API server reports it; a bookmark only moves the version on. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

export interface Streaming extends LineLimits {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Milliseconds until the headers must be there. */
  readonly openMs: number;
  /** Called when the API server has accepted the watch. */
  readonly opened: () => void;
}

/** Bytes of a refusal that are read at most. */
const longestRefusal = 65_536;

/**
 * The events of one watch request until the API server ends it. Throws `expired` if its version is too old, `throttled`,
 * `unauthorized`, `unavailable` and so on if it is refused or breaks.
 */
export async function* watchOnce(streaming: Streaming): AsyncGenerator<WatchEvent, void> {
  const response = await open(streaming);
  try {
    if (response.statusCode !== 200) throw await refusalOf(response);
    streaming.opened();
    for await (const line of linesOf(response, streaming)) yield toEvent(line);
  } catch (error) {
    throw error instanceof KnudgeError ? error : broken(error);
  } finally {
    response.destroy();
  }
}

async function open({ url, headers, agent, signal, openMs }: Streaming): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const start = url.protocol === 'http:' ? httpRequest : httpsRequest;
  const request = start(url, { headers, agent, signal });
  request.on('error', (cause) => reject(broken(cause)));
  request.on('response', resolve);
  request.end();
  return within(promise, openMs).catch((error: unknown) => {
    request.destroy();
    throw error;
  });
}

function broken(cause: unknown): KnudgeError {
  return new KnudgeError('unavailable', cause instanceof Error ? cause.message : 'the connection broke', { cause });
}

async function refusalOf(response: IncomingMessage): Promise<KnudgeError> {
  const { statusCode = 0, headers } = response;
  const seconds = secondsOf(headers['retry-after'], Date.now());
  const details = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  return refusal(statusCode, parse(await beginningOf(response)), details);
}

async function beginningOf(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longestRefusal) break;
  }
  return Buffer.concat(chunks).toString();
}

function refusal(status: number, body: unknown, details: { retryAfterSeconds?: number } = {}): KnudgeError {
  const said = toApiStatus(body);
  const words = said?.message || `the API server answered ${status}`;
  return new KnudgeError(codes.get(status) ?? 'unavailable', words.slice(0, 400), details);
}

const codes = new Map([
  [401, 'unauthorized'],
  [403, 'not-permitted'],
  [404, 'gone'],
  [410, 'expired'],
  [429, 'throttled'],
] as const) as ReadonlyMap<number, 'unauthorized' | 'not-permitted' | 'gone' | 'expired' | 'throttled'>;

/** An event of type ERROR carries a Status: most often that the version has expired. */
function toEvent(line: string): WatchEvent {
  const { type, object } = fieldsOf(parse(line));
  if (type === 'ERROR') {
    const { code } = fieldsOf(object);
    throw refusal(typeof code === 'number' ? code : 500, object);
  }
  const isKnown = type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK';
  if (isKnown && typeof fieldsOf(fieldsOf(object)['metadata'])['resourceVersion'] === 'string') {
    return { type, object: object as KubeObject };
  }
  throw new KnudgeError('unexpected-answer', 'the watch sent something that is not an event');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
