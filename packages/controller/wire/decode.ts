import type { Received } from '../domain/change.ts';
import { KnudgeError } from '../domain/errors.ts';
import { toReceived } from './envelope.ts';
import { decodeHeaderValue } from './header-value.ts';
import { parseJson } from './json.ts';
import { modeOf, requireJson } from './media-type.ts';

/** A request as node:http gives it: header names in lower case. */
export interface EventRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** What data is taken: `any data` that is no JSON is left away, for whom the envelope is enough. */
export type Strictness = 'JSON alone' | 'any data';

/**
 * The CloudEvent in a request, binary or structured (CloudEvents HTTP binding 1.0). Data must be JSON in UTF-8, unless
 * any is taken; attributes in headers are percent-decoded; `time` is given only where the sender gave it.
 * Throws `not-a-cloud-event`, `invalid-event`, `invalid-json`, `too-deep`, `forbidden-key` or `unsupported-media-type`.
 */
export function decode(request: EventRequest, strictness: Strictness = 'JSON alone'): Received {
  const contentType = single(request.headers['content-type'], 'content-type') ?? '';
  const isCompressed = request.headers['content-encoding'] !== undefined;
  if (strictness === 'any data') return withAnyData(request, contentType, isCompressed);
  if (isCompressed) {
    throw new KnudgeError('unsupported-media-type', 'a compressed body is not taken: send it without Content-Encoding');
  }
  if (modeOf(contentType) === 'structured') return structured(request.body);
  return withData(envelopeIn(request), request.body, contentType);
}

/** In binary mode the envelope needs no body, so whatever is wrong with the body does not matter. */
function withAnyData(request: EventRequest, contentType: string, isCompressed: boolean): Received {
  if (/^\s*application\/cloudevents/i.test(contentType)) return decode(request);
  const received = envelopeIn(request);
  try {
    return isCompressed ? received : withData(received, request.body, contentType);
  } catch {
    return received;
  }
}

function envelopeIn({ headers }: EventRequest): Received {
  const attributes = new Map<string, string>();
  for (const header in headers) {
    if (!header.startsWith('ce-')) continue;
    const value = single(headers[header], header);
    if (value !== undefined) attributes.set(header.slice(3), decodeHeaderValue(value));
  }
  return toReceived(attributes, undefined);
}

/** The envelope comes first: a request that is no event says so, whatever its body is. */
function withData(received: Received, body: Buffer, contentType: string): Received {
  if (body.length === 0) return received;
  requireJson(contentType);
  return { ...received, data: parseJson(body) };
}

function single(value: string | readonly string[] | undefined, header: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (value.length > 1) throw new KnudgeError('invalid-event', `the header ${header} is there more than once`);
  return value[0];
}

function structured(body: Buffer): Received {
  const envelope = parseJson(body, 1);
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    throw new KnudgeError('invalid-event', 'a structured CloudEvent is one JSON object: this is not one');
  }
  const attributes = new Map<string, string>();
  for (const [name, value] of Object.entries(envelope)) {
    if (name === 'data' || name === 'data_base64' || value === null) continue;
    attributes.set(name, attributeText(name, value));
  }
  const contentType = attributes.get('datacontenttype');
  return toReceived(attributes, dataOf(envelope, contentType));
}

/** CloudEvents JSON format 1.0, section 2.2: attributes are strings, booleans and integers. */
function attributeText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  throw new KnudgeError(
    'invalid-event',
    `the attribute ${name.slice(0, 64)} is neither a string, a boolean nor an integer`,
  );
}

function dataOf(envelope: object, contentType: string | undefined): unknown {
  const { data, data_base64: encoded } = envelope as { data?: unknown; data_base64?: unknown };
  if (data === undefined && (encoded === undefined || encoded === null)) return undefined;
  requireJson(contentType ?? 'application/json');
  if (encoded === undefined || encoded === null) return data;
  if (data !== undefined || typeof encoded !== 'string') {
    throw new KnudgeError('invalid-event', 'data_base64 must be a string, and must not stand beside data');
  }
  return parseJson(Buffer.from(encoded, 'base64'));
}
