import { KnudgeError } from '../domain/errors.ts';

/** A request as a recording has it. */
export interface RecordedRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Empty where there was none. */
  readonly body: string;
  /** `/` unless the recording has another, as those of questions do. */
  readonly path: string;
}

/** They belong to the one delivery that was recorded. */
const ofOneDelivery: ReadonlySet<string> = new Set([
  'host',
  'accept-encoding',
  'content-length',
  'user-agent',
  'connection',
  'transfer-encoding',
]);

/** A recording, `{headers, body, path}` in JSON, as a request that can be sent. Throws `invalid-request`. */
export function toRequest(text: string): RecordedRequest {
  const { headers, body, path = '/' } = fieldsOf(parse(text));
  const pairs = Object.entries(fieldsOf(headers));
  const isText = pairs.every(([, value]) => typeof value === 'string');
  if (pairs.length === 0 || !isText || typeof path !== 'string' || !path.startsWith('/')) throw unlike();
  return {
    headers: Object.fromEntries(pairs.filter(([name]) => !ofOneDelivery.has(name.toLowerCase()))) as Record<
      string,
      string
    >,
    body: body === undefined || body === null ? '' : JSON.stringify(body),
    path,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new KnudgeError('invalid-request', `it is not JSON${placeIn(text, cause)}`, { cause });
  }
}

/** `, as line 3 and column 7 show`; V8 quotes several lines of the text instead. */
function placeIn(text: string, cause: unknown): string {
  const [, position] = / at position (\d+)/.exec((cause as Error).message) ?? [];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `, as line ${before.length} and column ${(before.at(-1) ?? '').length + 1} show`;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw unlike();
}

function unlike(): KnudgeError {
  const form = '{"headers":{"ce-id":"…",…},"body":{…}}';
  return new KnudgeError('invalid-request', `it is not a recorded event, which is ${form}: see test/fixtures/events`);
}
