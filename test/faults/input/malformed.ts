import { maxAttributeLength } from '../../../packages/controller/domain/change.ts';
import { errorCodes } from '../../../packages/controller/domain/errors.ts';
import { hostileEvents } from '../../../packages/controller/test/wire/hostile-events.ts';
import {
  asStructured,
  byReference,
  inEnvelope,
  withAttributes,
  withData,
  withType,
} from '../../../packages/controller/test/wire/hostile-parts.ts';
import { type BuiltEvent, event, structured } from '../../build/event.ts';
import { malformedHttp } from './malformed-http.ts';
import { badReferences, badTexts, badTimes, badTypes, badUris, notJson } from './malformed-values.ts';
import { readRecordings, requestOf } from './recordings.ts';

/** A request that no function may take, as bytes, and the one status that it must be answered with. */
export interface Malformed {
  /** A sentence; no two are the same. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly status: number;
  /** The sender says no more after this: its end of the connection is closed. */
  readonly ends?: true;
}

/** Every malformed event, once. */
export function malformedEvents(): readonly Malformed[] {
  const known = hostileEvents.map(([name, request, code]) => row(name, request, errorCodes[code].status));
  const rest = [...ofAttributes(), ...ofReferences(), ...ofData(), ...ofTypes(), ...cutOff(), ...malformedHttp];
  return [...new Map([...known, ...rest].map((one) => [one.bytes.toString('base64'), one])).values()];
}

const row = (name: string, { headers, body }: BuiltEvent, status = 400): Malformed => ({
  name,
  bytes: requestOf(Object.entries(headers), body),
  status,
});

function ofAttributes(): readonly Malformed[] {
  const texts = ['id', 'source', 'type', 'subject', 'note'].flatMap((name) =>
    Object.entries(badTexts).map(([what, value]) => [`${name} ${what}`, { [name]: value }] as const),
  );
  const uris = ['source', 'dataschema'].flatMap((name) =>
    badUris.map((value) => [`${name} ${JSON.stringify(value)}`, { [name]: value }] as const),
  );
  const times = badTimes.map((time) => [`time ${JSON.stringify(time)}`, { time }] as const);
  const rows = [...texts, ...uris, ...times].flatMap(([name, attributes]) => [
    row(`binary: ${name}`, withAttributes(encoded(attributes))),
    row(`structured: ${name}`, inEnvelope(attributes)),
  ]);
  const long = ['id', 'source', 'type', 'subject'].map((name) =>
    row(`structured: a long ${name}`, inEnvelope({ [name]: 'x'.repeat(maxAttributeLength + 1) })),
  );
  return [...rows, ...long];
}

/** As the HTTP binding wants it: percent signs for what is no plain character. */
function encoded(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(attributes).map(([name, value]) => [name, encodedText(value)] as const);
  return Object.fromEntries(pairs);
}

function encodedText(value: string): string {
  return [...value]
    .map((character) =>
      /^[!-$&-~]$/.test(character)
        ? character
        : [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    )
    .join('');
}

function ofReferences(): readonly Malformed[] {
  return Object.entries(badReferences).flatMap(([attribute, values]) =>
    values.flatMap((value) => {
      const name = `${attribute} ${JSON.stringify(value.slice(0, 40))} (${value.length})`;
      const plain = { [attribute]: value };
      return [
        row(`reference, binary: ${name}`, byReference(encoded(plain))),
        row(`object, binary: ${name}`, withAttributes(encoded(plain))),
        row(`reference, structured: ${name}`, inEnvelope({ type: 'dev.knative.apiserver.ref.delete', ...plain })),
      ];
    }),
  );
}

function ofData(): readonly Malformed[] {
  return notJson.flatMap((data, index) => [
    row(`data that is no JSON, ${index}: ${JSON.stringify(data.slice(0, 40))}`, withData(data)),
    row(`an envelope that is no JSON, ${index}`, asStructured(data)),
    row(`data in base64 that is no JSON, ${index}`, inEnvelope({ data: undefined, data_base64: btoa(data) })),
  ]);
}

function ofTypes(): readonly Malformed[] {
  return badTypes.map((type) => row(`content type ${JSON.stringify(type)}`, withType(type), 415));
}

/** Each recorded event, cut off in its body as a broken link does it, but with a length that fits. */
function cutOff(): readonly Malformed[] {
  return readRecordings().flatMap(({ name, headers, body, envelope }) =>
    [0.1, 0.5, 0.9].flatMap((share) => [
      { name: `${name} cut off at ${share}`, bytes: requestOf(headers, part(body, share)), status: 400 },
      row(`${name}, structured, cut off at ${share}`, asStructured(part(envelope, share))),
    ]),
  );
}

function part(bytes: Buffer, share: number): Buffer {
  return bytes.subarray(0, Math.max(1, Math.floor(bytes.length * share)));
}

/** The event that all of these are damaged forms of: it must be taken, or none of the refusals would say anything. */
export const sound: readonly Buffer[] = [event(), structured(event())].map(({ headers, body }) =>
  requestOf(Object.entries(headers), body),
);
