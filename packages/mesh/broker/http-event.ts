import { KnudgeError } from '../../controller/domain/errors.ts';
import { toReceived } from '../../controller/wire/envelope.ts';
import { decodeHeaderValue } from '../../controller/wire/header-value.ts';
import { parseJson } from '../../controller/wire/json.ts';
import { modeOf } from '../../controller/wire/media-type.ts';
import type { CloudEvent } from '../cloud-event.ts';

/** A request or an answer that may carry an event; header names in lower case. */
export interface EventMessage {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Whether it says that it is an event, which may still be a broken one. */
export function claimsEvent({ headers }: EventMessage): boolean {
  return headers['ce-specversion'] !== undefined || contentTypeOf(headers).startsWith('application/cloudevents');
}

/**
 * The event of a request or of an answer, binary or structured; batches are refused. Only its envelope is checked.
 * Throws a KnudgeError with a code that says what is wrong.
 */
export function eventOf(message: EventMessage): CloudEvent {
  const event = replyOf(message);
  checkEvent(event);
  return event;
}

/** The same for an answer, whose attributes are not checked here: the ingress that gets the reply checks them. */
export function replyOf(message: EventMessage): CloudEvent {
  const contentType = contentTypeOf(message.headers);
  const isStructured = modeOf(contentType) === 'structured';
  const event = isStructured ? structured(message.body) : binary(message, contentType);
  if (isStructured) checkEvent(event);
  const headers = passedOn(message.headers);
  return headers === undefined ? event : { ...event, headers };
}

/** Throws a KnudgeError unless the attributes are those of an event: names, required ones, their forms. */
export function checkEvent({ attributes }: CloudEvent): void {
  toReceived(new Map(Object.entries(attributes)), undefined);
}

function contentTypeOf(headers: EventMessage['headers']): string {
  const value = headers['content-type'];
  return typeof value === 'string' ? value : '';
}

function binary({ headers, body }: EventMessage, contentType: string): CloudEvent {
  const attributes: Record<string, string> = {};
  for (const header in headers) {
    if (!header.startsWith('ce-')) continue;
    const value = headers[header];
    if (typeof value === 'string') attributes[header.slice(3)] = decodeHeaderValue(value);
  }
  return contentType === '' ? { attributes, data: body } : { attributes, contentType, data: body };
}

function structured(body: Buffer): CloudEvent {
  const envelope = parseJson(body, 1);
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    throw new KnudgeError('invalid-event', 'the body of a structured CloudEvent must be one JSON object');
  }
  const { data, data_base64: encoded, datacontenttype, ...rest } = envelope as Record<string, unknown>;
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(rest)) {
    // Go's SDK reads capitals in a name as small letters.
    if (value !== null) attributes[name.toLowerCase()] = attributeText(name, value);
  }
  const declared = typeof datacontenttype === 'string' ? datacontenttype : undefined;
  if (data === undefined && typeof encoded !== 'string') {
    return declared === undefined
      ? { attributes, data: nothing }
      : { attributes, contentType: declared, data: nothing };
  }
  // The real ingress adds no content type to JSON data that declares none.
  const bytes = bytesOf(data, encoded, declared ?? 'application/json');
  return { attributes, ...(declared !== undefined && { contentType: declared }), data: bytes };
}

const nothing = Buffer.alloc(0);

/** CloudEvents JSON format 1.0, section 3.1: data of another type than JSON is in a string. */
function bytesOf(data: unknown, encoded: unknown, contentType: string): Buffer {
  if (typeof encoded === 'string') return Buffer.from(encoded, 'base64');
  const isText = typeof data === 'string' && !/[/+]json\b/i.test(contentType);
  return Buffer.from(isText ? data : JSON.stringify(data));
}

/** Attributes of CloudEvents that may not be numbers for the real ingress either. */
const texts = new Set(['specversion', 'id', 'source', 'type', 'subject', 'time', 'dataschema']);

/** CloudEvents JSON format 1.0, section 2.2: attributes are strings, booleans and integers. */
function attributeText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (!texts.has(name) && (typeof value === 'boolean' || Number.isSafeInteger(value))) return String(value);
  throw new KnudgeError(
    'invalid-event',
    `the attribute ${name.slice(0, 64)} is neither a string, a boolean nor an integer`,
  );
}

/** Headers that Knative passes on, besides those of the event. */
const handedOn = /^(?:x-request-id|traceparent|tracestate|kn-namespace|knative-.*|x-b3-.*)$/;

function passedOn(headers: EventMessage['headers']): Record<string, string> | undefined {
  let kept: Record<string, string> | undefined;
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string' || !handedOn.test(name)) continue;
    kept ??= {};
    kept[name] = value;
  }
  return kept;
}
