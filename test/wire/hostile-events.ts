import type { ErrorCode } from '../../src/domain/errors.ts';
import { maxAttributeLength, maxContainers, maxDepth, maxKeys } from '../../src/wire/limits.ts';
import type { BuiltEvent } from '../build/event.ts';
import { event, structured } from '../build/event.ts';

/** A bad event as a sentence, the request, and the one code it must be refused with. */
export type HostileRow = readonly [name: string, request: BuiltEvent, code: ErrorCode];

const withData = (data: unknown): BuiltEvent => event({ data });
const withAttributes = (attributes: Record<string, string | undefined>): BuiltEvent => event({ attributes });
const withType = (contentType: string | undefined): BuiltEvent => event({ headers: { 'content-type': contentType } });
const inEnvelope = (envelope: Record<string, unknown>): BuiltEvent => structured(event(), envelope);
const asStructured = (body: string | Buffer): BuiltEvent => ({
  headers: { 'content-type': 'application/cloudevents+json' },
  body: Buffer.from(body as string),
});
const json = (value: unknown): string => JSON.stringify(value);
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(',')}}`;
const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name: 'hello', namespace: 'shop' } };
const meta = (metadata: unknown): BuiltEvent => withData({ ...message, metadata });
const allowed = { name: 'hello', namespace: 'shop' };
const reference = 'dev.knative.apiserver.ref.update';

const envelopeRows: readonly HostileRow[] = [
  ['no attributes at all', { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }, 'not-a-cloud-event'],
  ['nothing at all', { headers: {}, body: Buffer.alloc(0) }, 'not-a-cloud-event'],
  ['a web form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: Buffer.from('a=b') }, 'not-a-cloud-event'],
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
  ['a time without a day', withAttributes({ time: '2026-11-00T00:00:00Z' }), 'invalid-event'],
  ['an empty time', withAttributes({ time: '' }), 'invalid-event'],
  ['an empty subject', withAttributes({ subject: '' }), 'invalid-event'],
  ['a dataschema that is no URI', withAttributes({ dataschema: 'no uri' }), 'invalid-event'],
  ['an extension with a dash', withAttributes({ 'my-extension': 'x' }), 'invalid-event'],
  ['an extension without a name', withAttributes({ '': 'x' }), 'invalid-event'],
  ['an extension called __proto__', withAttributes({ ['__proto__']: 'polluted', 'a_b': 'x' }), 'invalid-event'],
  ['an attribute called data', withAttributes({ data: '{}' }), 'invalid-event'],
  ['a line break in the id', withAttributes({ id: 'a%0Ab' }), 'invalid-event'],
  ['a NUL in the type', withAttributes({ type: 'a%00' }), 'invalid-event'],
  ['an escape sequence in an extension', withAttributes({ note: '%1B%5B31m' }), 'invalid-event'],
];

const structuredRows: readonly HostileRow[] = [
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
  ['structured, data and data_base64', inEnvelope({ data_base64: 'e30=' }), 'invalid-event'],
  ['structured, data_base64 that is a number', inEnvelope({ data: undefined, data_base64: 7 }), 'invalid-event'],
  ['structured, data_base64 that is no JSON', inEnvelope({ data: undefined, data_base64: 'eyI=' }), 'invalid-json'],
  ['structured, data_base64 with __proto__', inEnvelope({ data: undefined, data_base64: btoa('{"__proto__":{}}') }), 'forbidden-key'],
  ['structured, data of another type', inEnvelope({ datacontenttype: 'text/plain', data: 'hi' }), 'unsupported-media-type'],
  ['structured, __proto__ in the envelope', asStructured('{"__proto__":{"polluted":true},"id":"1"}'), 'forbidden-key'],
  ['structured, data nested 65 deep', asStructured(`{"id":"1","data":${nested(maxDepth + 1)}}`), 'too-deep'],
];

const mediaRows: readonly HostileRow[] = [
  ['a batch', event({ headers: { 'content-type': 'application/cloudevents-batch+json' }, data: '[]' }), 'unsupported-media-type'],
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

const jsonRows: readonly HostileRow[] = [
  ['JSON cut off', withData('{"kind":"Mess'), 'invalid-json'],
  ['JSON with a trailing comma', withData('{"a":1,}'), 'invalid-json'],
  ['JSON in single quotes', withData("{'a':1}"), 'invalid-json'],
  ['two values', withData('{} {}'), 'invalid-json'],
  ['only spaces', withData('   '), 'invalid-json'],
  ['a bare word', withData('undefined'), 'invalid-json'],
  ['NaN', withData('{"a":NaN}'), 'invalid-json'],
  ['a raw line break in a string', withData('{"a":"\n"}'), 'invalid-json'],
  ['only closing brackets', withData(']'.repeat(1000)), 'invalid-json'],
  ['only quotes', withData('"'.repeat(1001)), 'invalid-json'],
  ['a string that never ends in a backslash', withData('"\\'), 'invalid-json'],
  ['bytes that are no UTF-8', withData(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])), 'invalid-json'],
  ['an overlong UTF-8 quote', withData(Buffer.from([0xc0, 0xa2])), 'invalid-json'],
  ['UTF-16 bytes', withData(Buffer.from('{"a":1}', 'utf16le')), 'invalid-json'],
  ['gzip without saying so', withData(Buffer.from('1f8b0800000000000003', 'hex')), 'invalid-json'],
  ['lists nested 65 deep', withData(nested(maxDepth + 1)), 'too-deep'],
  ['lists nested 500,000 deep', withData(nested(500_000)), 'too-deep'],
  ['500,000 opening brackets', withData('['.repeat(500_000)), 'too-deep'],
  ['objects nested 65 deep', withData(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`), 'too-deep'],
  ['100,001 keys', withData(keys(maxKeys + 1)), 'too-deep'],
  ['100,001 empty objects', withData(`[${'{},'.repeat(maxContainers)}1]`), 'too-deep'],
  ['a key __proto__', withData('{"__proto__":{"polluted":true}}'), 'forbidden-key'],
  ['a key __proto__ far down', withData('{"a":[{"b":{"__proto__" : {"polluted":true}}}]}'), 'forbidden-key'],
  ['a key __proto__, one escape', withData('{"\\u005f_proto__":{"polluted":true}}'), 'forbidden-key'],
  ['a key __proto__, all escapes', withData(`{"${[...'__proto__'].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}":{}}`), 'forbidden-key'],
  ['a key __proto__, upper-case escape', withData('{"\\u005F\\u005Fproto\\u005F_":{"polluted":true}}'), 'forbidden-key'],
  ['a key __proto__ after a value of that name', withData('{"a":"__proto__","__proto__":1}'), 'forbidden-key'],
];

const objectRows: readonly HostileRow[] = [
  ['no kind', withAttributes({ kind: undefined }), 'invalid-event'],
  ['an empty kind', withAttributes({ kind: '' }), 'invalid-event'],
  ['a kind that is a path', withAttributes({ kind: '../Secret' }), 'invalid-event'],
  ['no apiversion', withAttributes({ apiversion: undefined }), 'invalid-event'],
  ['an apiversion that climbs', withAttributes({ apiversion: '../v1' }), 'invalid-event'],
  ['an apiversion with two slashes', withAttributes({ apiversion: 'a/b/v1' }), 'invalid-event'],
  ['an apiversion of 10 kB', withAttributes({ apiversion: `${'a.'.repeat(5000)}/v1` }), 'invalid-event'],
  ['no name', withAttributes({ name: undefined }), 'invalid-event'],
  ['an empty name', withAttributes({ name: '' }), 'invalid-event'],
  ['a name that is ..', withAttributes({ name: '..' }), 'invalid-event'],
  ['a name that climbs', withAttributes({ name: '../../secrets/all' }), 'invalid-event'],
  ['a name that climbs, encoded', withAttributes({ name: '..%2F..%2Fsecrets' }), 'invalid-event'],
  ['a name encoded twice', withAttributes({ name: '%252e%252e%252f' }), 'invalid-event'],
  ['a name with a query', withAttributes({ name: 'a?force=true' }), 'invalid-event'],
  ['a name with a fragment', withAttributes({ name: 'a#b' }), 'invalid-event'],
  ['a name of 254 characters', withAttributes({ name: 'a'.repeat(254) }), 'invalid-event'],
  ['a name with a line break', withAttributes({ name: 'a%0d%0aHost: evil' }), 'invalid-event'],
  ['a namespace that climbs', withAttributes({ namespace: '..' }), 'invalid-event'],
  ['a namespace with a slash', withAttributes({ namespace: 'a/secrets' }), 'invalid-event'],
  ['a namespace in upper case', withAttributes({ namespace: 'Shop' }), 'invalid-event'],
  ['a namespace of 64 characters', withAttributes({ namespace: 'a'.repeat(64) }), 'invalid-event'],
  ['a reference whose name climbs', withAttributes({ type: reference, name: '../x' }), 'invalid-event'],
  ['an object event without data', event({ data: '' }), 'invalid-event'],
  ['an object event whose data is null', withData('null'), 'invalid-event'],
  ['an object event whose data is a list', withData('[]'), 'invalid-event'],
  ['an object event whose data is a number', withData('42'), 'invalid-event'],
  ['an object of another kind', withData({ ...message, kind: 'Secret' }), 'invalid-event'],
  ['an object of another group', withData({ ...message, apiVersion: 'evil.dev/v1' }), 'invalid-event'],
  ['an object of another name', meta({ ...allowed, name: 'other' }), 'invalid-event'],
  ['an object of another namespace', meta({ ...allowed, namespace: 'kube-system' }), 'invalid-event'],
  ['an object without metadata', withData({ ...message, metadata: undefined }), 'invalid-event'],
  ['metadata that is a list', meta([]), 'invalid-event'],
  ['labels that are a list', meta({ ...allowed, labels: ['frp.io/service'] }), 'invalid-event'],
  ['a label that is an object', meta({ ...allowed, labels: { 'frp.io/service': {} } }), 'invalid-event'],
  ['an annotation that is a number', meta({ ...allowed, annotations: { a: 1 } }), 'invalid-event'],
  ['owners that are an object', meta({ ...allowed, ownerReferences: {} }), 'invalid-event'],
  ['an owner without a uid', meta({ ...allowed, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a' }] }), 'invalid-event'],
  ['an owner that is null', meta({ ...allowed, ownerReferences: [null] }), 'invalid-event'],
  ['a uid that is a number', meta({ ...allowed, uid: 7 }), 'invalid-event'],
];

export const hostileEvents: readonly HostileRow[] = [...envelopeRows, ...structuredRows, ...mediaRows, ...jsonRows, ...objectRows];

/** Odd, but right: none of these may be refused. */
export const oddEvents: readonly (readonly [name: string, request: BuiltEvent])[] = [
  ['a value that is __proto__', meta({ ...allowed, labels: { a: '__proto__' } })],
  ['keys called constructor and prototype', withData({ ...message, spec: { constructor: { prototype: {} } } })],
  ['escapes that spell nothing', withData(json(message).replace('"hello"', '"\\u0068ello"'))],
  ['a byte order mark', withData(`\ufeff${json(message)}`)],
  ['an extension called validate', withAttributes({ validate: 'x', emit: 'y', constructor: 'z' })],
  ['an extension called schemaurl', withAttributes({ schemaurl: 'x' })],
  ['an empty extension', withAttributes({ note: '' })],
  ['a malformed percent sign', withAttributes({ note: '100% %zz %4' })],
  ['a role with a colon', withAttributes({ type: reference, kind: 'Role', name: 'system:node', apiversion: 'rbac.authorization.k8s.io/v1' })],
  ['a reference without data', event({ attributes: { type: reference }, data: '', headers: { 'content-type': undefined } })],
  ['a type of somebody else', withAttributes({ type: 'com.example.x', kind: undefined, name: '../..' })],
  ['a type called __proto__', withAttributes({ type: '__proto__' })],
  ['a type called constructor', withAttributes({ type: 'constructor' })],
  ['structured, numbers and booleans as extensions', inEnvelope({ attempt: 3, urgent: true })],
  ['JSON of a vendor', withType('application/vnd.example+json')],
  ['a charset in quotes', withType('application/json; charset="UTF-8"')],
];
