import { failure } from './build.ts';
import { denials } from './denials.ts';
import { type Refusal, withCauses } from './refusal.ts';

const uidCause = {
  reason: 'FieldValueInvalid',
  message: 'Invalid value: "x": field is immutable',
  field: 'metadata.uid',
};

/** Every refusal that tests know. */
export const refusals: readonly Refusal[] = [
  ...denials,
  {
    name: 'an object that is not there',
    status: 404,
    body: failure(404, 'NotFound', 'configmaps "none" not found'),
    read: 'gone',
    write: 'gone',
  },
  {
    name: 'a namespace that is not there',
    status: 404,
    body: failure(404, 'NotFound', 'namespaces "nope" not found'),
    write: 'gone',
  },
  { name: 'a kind that is not served', status: 404, body: undefined, read: 'gone', write: 'gone' },
  {
    name: 'an object that is there',
    status: 409,
    body: failure(409, 'AlreadyExists', 'configmaps "du" already exists'),
    write: 'already-exists',
  },
  {
    name: 'another version',
    status: 409,
    body: failure(
      409,
      'Conflict',
      'Operation cannot be fulfilled on configmaps "du": the object has been modified; please apply your changes to the latest version and try again',
    ),
    write: 'conflict',
  },
  {
    name: 'another uid at a delete',
    status: 409,
    body: failure(
      409,
      'Conflict',
      'Operation cannot be fulfilled on ConfigMap "du": the UID in the precondition (x) does not match the UID in record (y). The object might have been deleted and then recreated',
    ),
    write: 'conflict',
  },
  {
    name: 'an apply with a uid where nothing is',
    status: 409,
    body: failure(
      409,
      'Conflict',
      'Operation cannot be fulfilled on configmaps "dv": uid mismatch: the provided object specified uid x, and no existing object was found',
    ),
    write: 'conflict',
  },
  {
    name: 'another uid at an apply',
    status: 422,
    body: withCauses(
      failure(422, 'Invalid', 'ConfigMap "du" is invalid: metadata.uid: Invalid value: "x": field is immutable'),
      [uidCause],
    ),
    write: 'conflict',
  },
  {
    name: 'a field that is not valid',
    status: 422,
    body: withCauses(
      failure(422, 'Invalid', 'ConfigMap "b" is invalid: []: Too long: may not be more than 1048576 bytes'),
      [{ reason: 'FieldValueTooLong', message: 'Too long: may not be more than 1048576 bytes', field: '[]' }],
    ),
    write: 'invalid-object',
  },
  {
    name: 'a type that does not fit',
    status: 400,
    body: failure(
      400,
      'BadRequest',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ),
    write: 'invalid-object',
  },
  {
    name: 'an apply whose types do not fit',
    status: 500,
    body: failure(
      500,
      '',
      'failed to create typed patch object (/mf; /v1, Kind=ConfigMap): .data.x: expected string, got &value.valueUnstructured{Value:1}',
    ),
    write: 'invalid-object',
  },
  {
    name: 'an apply over what is stored broken',
    status: 500,
    body: failure(
      500,
      '',
      'failed to create manager for existing fields: failed to convert new object (p/a; myorg.dev/v1, Kind=Message) to smd typed: .status.conditions[type="Ready"].lastTransitionTime: expected any scalar, got &{[x]}',
    ),
    write: 'stored-broken',
  },
  {
    name: 'an object that is too large',
    status: 413,
    body: failure(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
    write: 'invalid-object',
  },
  {
    name: 'a selector that is none',
    status: 400,
    body: failure(400, 'BadRequest', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"),
    read: 'unexpected-answer',
  },
  {
    name: 'a page that is too old',
    status: 410,
    body: failure(410, 'Expired', 'The resourceVersion for the provided list is too old.'),
    read: 'expired',
  },
  {
    name: 'a media type that is not taken',
    status: 415,
    body: failure(415, 'UnsupportedMediaType', 'the body of the request was in an unknown format'),
    write: 'unexpected-answer',
  },
  {
    name: 'a media type that is not given',
    status: 406,
    body: failure(406, 'NotAcceptable', '406: Not Acceptable'),
    read: 'unexpected-answer',
  },
  {
    name: 'too many requests',
    status: 429,
    body: failure(429, 'TooManyRequests', 'Too many requests, please try again later.'),
    read: 'throttled',
    write: 'throttled',
  },
  {
    name: 'a fault of the server',
    status: 500,
    body: failure(500, 'InternalError'),
    read: 'unavailable',
    write: 'outcome-unknown',
  },
  {
    name: 'a server that starts',
    status: 503,
    body: failure(503, 'ServiceUnavailable'),
    read: 'unavailable',
    write: 'outcome-unknown',
  },
  { name: 'a slow store', status: 504, body: failure(504, 'Timeout'), read: 'unavailable', write: 'outcome-unknown' },
  { name: 'a redirect', status: 307, body: undefined, read: 'unexpected-answer', write: 'unexpected-answer' },
  {
    name: 'something that is no Status',
    status: 403,
    body: { error: 'no' },
    read: 'not-permitted',
    write: 'unexpected-answer',
  },
];
