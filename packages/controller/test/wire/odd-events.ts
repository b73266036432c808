import type { BuiltEvent } from '../../../../test/build/event.ts';
import { event } from '../../../../test/build/event.ts';
import {
  allowed,
  inEnvelope,
  json,
  message,
  meta,
  reference,
  withAttributes,
  withData,
  withType,
} from './hostile-parts.ts';

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
  [
    'a role with a colon',
    withAttributes({ type: reference, kind: 'Role', name: 'system:node', apiversion: 'rbac.authorization.k8s.io/v1' }),
  ],
  [
    'a reference without data',
    event({ attributes: { type: reference }, data: '', headers: { 'content-type': undefined } }),
  ],
  ['a type of somebody else', withAttributes({ type: 'com.example.x', kind: undefined, name: '../..' })],
  ['a type called __proto__', withAttributes({ type: '__proto__' })],
  ['a type called constructor', withAttributes({ type: 'constructor' })],
  ['structured, numbers and booleans as extensions', inEnvelope({ attempt: 3, urgent: true })],
  ['structured, attributes that are null', inEnvelope({ subject: null, note: null, data_base64: null })],
  ['JSON of a vendor', withType('application/vnd.example+json')],
  ['a charset in quotes', withType('application/json; charset="UTF-8"')],
];
