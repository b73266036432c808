import { event } from '../../../../test/build/event.ts';
import { maxAttributeLength } from '../../domain/change.ts';
import { maxDepth } from '../../wire/limits.ts';
import type { HostileRow } from './hostile-parts.ts';
import { asStructured, inEnvelope, nested, reference, withAttributes, withType } from './hostile-parts.ts';

export const envelopeRows: readonly HostileRow[] = [
  [
    'no attributes at all',
    { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') },
    'not-a-cloud-event',
  ],
  ['nothing at all', { headers: {}, body: Buffer.alloc(0) }, 'not-a-cloud-event'],
  [
    'a web form',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: Buffer.from('a=b') },
    'not-a-cloud-event',
  ],
  ['extensions alone', { headers: { 'ce-kind': 'Pod', 'ce-name': 'a' }, body: Buffer.alloc(0) }, 'not-a-cloud-event'],
  ['an empty structured object', asStructured('{}'), 'not-a-cloud-event'],
  ['no id', withAttributes({ id: undefined }), 'invalid-event'],
  ['an empty id', withAttributes({ id: '' }), 'invalid-event'],
  ['no source', withAttributes({ source: undefined }), 'invalid-event'],
  ['no type', withAttributes({ type: undefined }), 'invalid-event'],
  ['no specversion', withAttributes({ specversion: undefined }), 'invalid-event'],
  ['specversion 0.3', withAttributes({ specversion: '0.3' }), 'invalid-event'],
  ['specversion 9', withAttributes({ specversion: '9' }), 'invalid-event'],
  ['specversion 1.0 twice, as Node joins it', withAttributes({ specversion: '1.0, 1.0' }), 'invalid-event'],
  ['a source with a space', withAttributes({ source: 'not a uri' }), 'invalid-event'],
  ['a source with an encoded space', withAttributes({ source: 'not%20a%20uri' }), 'invalid-event'],
  ['a source with a backslash', withAttributes({ source: 'a\\b' }), 'invalid-event'],
  ['a time that is none', withAttributes({ time: 'yesterday' }), 'invalid-event'],
  ['a time without an offset', withAttributes({ time: '2026-11-21T00:00:00' }), 'invalid-event'],
  ['a time with a space', withAttributes({ time: '2026-11-21 00:00:00Z' }), 'invalid-event'],
  ['a time with an offset that there is not', withAttributes({ time: '2026-11-21T00:00:00+99:00' }), 'invalid-event'],
  ['a time without a day', withAttributes({ time: '2026-11-00T00:00:00Z' }), 'invalid-event'],
  ['an empty time', withAttributes({ time: '' }), 'invalid-event'],
  ['an empty subject', withAttributes({ subject: '' }), 'invalid-event'],
  ['a dataschema that is no URI', withAttributes({ dataschema: 'no uri' }), 'invalid-event'],
  ['an extension with a dash', withAttributes({ 'my-extension': 'x' }), 'invalid-event'],
  ['an extension without a name', withAttributes({ '': 'x' }), 'invalid-event'],
  ['an extension called __proto__', withAttributes({ ['__proto__']: 'polluted', a_b: 'x' }), 'invalid-event'],
  ['an attribute called data', withAttributes({ data: '{}' }), 'invalid-event'],
  ['a line break in the id', withAttributes({ id: 'a%0Ab' }), 'invalid-event'],
  ['a NUL in the type', withAttributes({ type: 'a%00' }), 'invalid-event'],
  ['an escape sequence in an extension', withAttributes({ note: '%1B%5B31m' }), 'invalid-event'],
];

export const structuredRows: readonly HostileRow[] = [
  ['structured, empty body', asStructured(''), 'invalid-json'],
  ['structured, cut off', asStructured('{"id":"1","sou'), 'invalid-json'],
  ['structured, a list', asStructured('[]'), 'invalid-event'],
  ['structured, a string', asStructured('"event"'), 'invalid-event'],
  ['structured, null', asStructured('null'), 'invalid-event'],
  ['structured, an id that is null', inEnvelope({ id: null }), 'invalid-event'],
  ['structured, an id that is an object', inEnvelope({ id: {} }), 'invalid-event'],
  ['structured, a list as extension', inEnvelope({ colours: ['red'] }), 'invalid-event'],
  ['structured, a fraction as extension', inEnvelope({ share: 0.5 }), 'invalid-event'],
  ['structured, an extension in upper case', inEnvelope({ Kind: 'Pod' }), 'invalid-event'],
  ['structured, a lone surrogate in the id', inEnvelope({ id: '\ud800' }), 'invalid-event'],
  ['structured, a line break in the source', inEnvelope({ source: '/a\n/b' }), 'invalid-event'],
  ['structured, an attribute of 17 kB', inEnvelope({ note: 'x'.repeat(maxAttributeLength + 1) }), 'invalid-event'],
  ['structured, data and data_base64', inEnvelope({ type: reference, data_base64: 'e30=' }), 'invalid-event'],
  ['structured, data_base64 that is a number', inEnvelope({ data: undefined, data_base64: 7 }), 'invalid-event'],
  ['structured, data_base64 that is no JSON', inEnvelope({ data: undefined, data_base64: 'eyI=' }), 'invalid-json'],
  [
    'structured, data_base64 with __proto__',
    inEnvelope({ data: undefined, data_base64: btoa('{"__proto__":{}}') }),
    'forbidden-key',
  ],
  [
    'structured, data of another type',
    inEnvelope({ datacontenttype: 'text/plain', data: 'hi' }),
    'unsupported-media-type',
  ],
  ['structured, __proto__ in the envelope', asStructured('{"__proto__":{"polluted":true},"id":"1"}'), 'forbidden-key'],
  ['structured, data nested 65 deep', asStructured(`{"id":"1","data":${nested(maxDepth + 1)}}`), 'too-deep'],
];

export const mediaRows: readonly HostileRow[] = [
  [
    'a batch',
    event({ headers: { 'content-type': 'application/cloudevents-batch+json' }, data: '[]' }),
    'unsupported-media-type',
  ],
  ['CloudEvents in Avro', withType('application/cloudevents+avro'), 'unsupported-media-type'],
  ['CloudEvents in no format', withType('application/cloudevents'), 'unsupported-media-type'],
  ['structured in latin1', withType('application/cloudevents+json; charset=iso-8859-1'), 'unsupported-media-type'],
  ['data in UTF-16', withType('application/json; charset=utf-16'), 'unsupported-media-type'],
  ['data in a quoted other charset', withType('application/json;charset="latin1"'), 'unsupported-media-type'],
  ['data as text', withType('text/plain'), 'unsupported-media-type'],
  ['data as XML', withType('application/xml'), 'unsupported-media-type'],
  ['data as bytes', withType('application/octet-stream'), 'unsupported-media-type'],
  ['data of no type', withType(undefined), 'unsupported-media-type'],
  ['data of an empty type', withType(''), 'unsupported-media-type'],
  ['a gzipped body', event({ headers: { 'content-encoding': 'gzip' } }), 'unsupported-media-type'],
  ['a brotli body', event({ headers: { 'content-encoding': 'br' } }), 'unsupported-media-type'],
];
