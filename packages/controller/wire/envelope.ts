import validate from 'cloudevents/dist/schema/v1.js';
import type { Received } from '../domain/change.ts';
import { maxAttributeLength } from '../domain/change.ts';
import { KnudgeError } from '../domain/errors.ts';

const required = ['id', 'source', 'type', 'specversion'] as const;

/** Attributes that CloudEvents defines; every other is an extension. */
const defined = [...required, 'time', 'subject', 'dataschema', 'datacontenttype'] as const;

/** CloudEvents 1.0, section 3.1: names are lower-case letters and digits, and `data` is not allowed. */
const attributeName = /^[a-z0-9]+$/;

/** RFC 3339, section 5.6, as CloudEvents 1.0 asks for it: the schema of the package takes a time without an offset, too. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Characters that no attribute may hold (CloudEvents 1.0, section 3.2, String). */
const forbiddenCharacter = /[\p{Cc}\p{Cs}]/u;

/**
 * The event of these attributes and this data. The map becomes the extensions of the result.
 * Throws `not-a-cloud-event` where there is no attribute that every event has, `invalid-event` where one is missing
 * or has the wrong form. The form is what the schema of the `cloudevents` package says; only that schema is loaded,
 * because loading the whole package costs more than starting node:http does.
 */
export function toReceived(attributes: Map<string, string>, data: unknown): Received {
  if (!required.some((name) => attributes.has(name))) {
    throw new KnudgeError(
      'not-a-cloud-event',
      'the request has no CloudEvents attributes: send an event, such as the Broker does',
    );
  }
  const missing = required.find((name) => (attributes.get(name) ?? '') === '');
  if (missing !== undefined) throw invalid(`the event has no ${missing}`);
  for (const [name, value] of attributes) checkAttribute(name, value);
  return checked(attributes, data);
}

function checkAttribute(name: string, value: string): void {
  if (!attributeName.test(name) || name === 'data') {
    throw invalid(
      `${JSON.stringify(name.slice(0, 64))} is not the name of an attribute: lower-case letters and digits only`,
    );
  }
  if (value.length > maxAttributeLength) throw invalid(`${name} is longer than ${maxAttributeLength} characters`);
  if (forbiddenCharacter.test(value)) throw invalid(`${name} holds a control character`);
}

function checked(attributes: Map<string, string>, data: unknown): Received {
  const id = attributes.get('id') ?? '';
  const source = attributes.get('source') ?? '';
  const type = attributes.get('type') ?? '';
  const specversion = attributes.get('specversion');
  const time = attributes.get('time');
  if (specversion !== '1.0') throw invalid('its specversion is not 1.0');
  const subject = attributes.get('subject');
  const envelope = { id, source, type, specversion, time, subject, dataschema: attributes.get('dataschema') };
  if (!validate(envelope)) throw invalid(firstProblem());
  if (time !== undefined && !timestamp.test(time))
    throw invalid('its time is not one of RFC 3339 with an offset, such as 2026-01-02T03:04:05Z');
  for (const name of defined) attributes.delete(name);
  const received = { id, type, source, extensions: attributes, data };
  return time === undefined ? received : { ...received, time };
}

/** The generated validator leaves what it found on itself, as ajv's do; its types do not say so. */
function firstProblem(): string {
  const { errors } = validate as { errors?: readonly { instancePath: string; message?: string }[] };
  const problem = errors?.[0];
  return problem === undefined
    ? 'an attribute is wrong'
    : `its ${problem.instancePath.slice(1)} ${problem.message ?? 'is wrong'}`;
}

function invalid(what: string): KnudgeError {
  return new KnudgeError('invalid-event', `the CloudEvent is refused: ${what}`);
}
