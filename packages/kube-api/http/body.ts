import { parse as parseYaml } from 'yaml';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { apiVersionOf } from '../schema/kind.ts';
import type { Kinds } from '../schema/kinds.ts';
import { ApiProblem, badRequest, invalid } from './problem.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import type { ApiRequest } from './request.ts';

/** The object in a body, JSON or YAML; throws 400 in the words of the server's decoder, 415 for other media types. */
export function parseBody({ body, headers }: ApiRequest, kind: string): JsonObject {
  const type = mediaType(headers);
  try {
    return parseAs(type, body);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    const said = `${thrown.message} (${summary(body)})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${said}`);
  }
}

function parseAs(type: string, body: string): JsonObject {
  switch (type) {
    case 'application/json':
    case 'application/yaml':
      return parseObject(body, type === 'application/yaml');
    case protobuf:
      return decodeProtobuf(body);
    default:
      throw unsupported();
  }
}

/** Bodies of this type arrive with one character a byte. */
export const protobuf = 'application/vnd.kubernetes.protobuf';

export function mediaType(headers: ApiRequest['headers']): string {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return type === '' ? 'application/json' : type;
}

function unsupported(): ApiProblem {
  const accepted = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  return new ApiProblem(415, 'UnsupportedMediaType', {
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  });
}

/** Throws SyntaxError with the text of Go's decoders. */
export function parseObject(text: string, isYaml: boolean): JsonObject {
  const value = isYaml ? parseYamlText(text) : parseJson(text, "couldn't get version/kind; json parse error: ");
  if (isObject(value)) return value;
  const shape =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const goType = `Go value of type ${shape}`;
  throw new SyntaxError(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${nameOf(value)} into ${goType}`,
  );
}

function parseYamlText(text: string): Json {
  try {
    return parseYaml(text, { version: '1.1', schema: 'core' }) as Json;
  } catch (thrown) {
    throw new SyntaxError(`yaml: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** Throws SyntaxError with the sentence of Go's encoding/json behind the prefix. */
export function parseJson(text: string, prefix = ''): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw new SyntaxError(`${prefix}${goSentence(thrown instanceof Error ? thrown.message : '', text)}`);
  }
}

/** Words of V8, and the words of Go that stand for them. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/after property name/, 'after object key'],
  [/property name/i, 'looking for beginning of object key string'],
  [/after property value/, 'after object key:value pair'],
  [/after array element/, 'after array element'],
  [/non-whitespace character after JSON/, 'after top-level value'],
];

function goSentence(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  const token = /Unexpected token '(.)'/u.exec(message)?.[1] ?? text[Number(position ?? text.length)];
  if (token === undefined || /end of JSON|Unterminated/.test(message)) return 'unexpected end of JSON input';
  const where = sentences.find(([words]) => words.test(message))?.[1] ?? 'looking for beginning of value';
  return `invalid character '${token}' ${where}`;
}

function nameOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function summary(body: string): string {
  if (body === '') return '<empty>';
  if (body.startsWith('{')) return body.length > 30 ? `${body.slice(0, 30)} ...` : body;
  const bytes = Buffer.from(body);
  return `${bytes.subarray(0, 30).toString('hex')}${bytes.length > 30 ? ' ...' : ''}`;
}

/**
 * The object with the apiVersion and kind of the path; throws if it says that it is something else. Built-in kinds
 * may leave both out, custom resources may not.
 */
export function ofKind(kind: Kind, body: JsonObject, kinds: Kinds): JsonObject {
  const expected = apiVersionOf(kind);
  const { apiVersion = '', kind: name = '' } = body;
  if (String(apiVersion).split('/').length > 2) {
    const said = `unexpected GroupVersion string: ${String(apiVersion)} (${summary(JSON.stringify(body))})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${said}`);
  }
  if (kind.custom) {
    insistOnCustom(kind, body);
  } else if ((apiVersion !== '' && apiVersion !== expected) || (name !== '' && name !== kind.kind)) {
    const [version, said] = [String(apiVersion || expected), String(name || kind.kind)];
    const why =
      kinds.ofKind(version, said) === undefined ? notRegistered(said, version) : otherKind(kind, said, version);
    throw badRequest(`${said} in version "${version.split('/').at(-1)}" cannot be handled as a ${kind.kind}: ${why}`);
  }
  return { ...body, kind: kind.kind, apiVersion: expected };
}

function insistOnCustom(kind: Kind, body: JsonObject): void {
  const { apiVersion = '', kind: name = '' } = body;
  if (name === '') {
    const text = JSON.stringify(body);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): Object 'Kind' is missing in '${text}' (${summary(text)})`,
    );
  }
  const expected = apiVersionOf(kind);
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
  if (name === kind.kind) return;
  const { name: called = '' } = isObject(body['metadata']) ? body['metadata'] : {};
  const message = `Invalid value: ${JSON.stringify(name)}: must be ${kind.kind}`;
  throw invalid({ ...kind, kind: String(name) }, String(called), [
    { reason: 'FieldValueInvalid', message, field: 'kind' },
  ]);
}

/** The place in the source is part of the server's sentence (measured on 1.35). */
export function notRegistered(name: string, version: string): string {
  return `no kind "${name}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:111"`;
}

function otherKind(kind: Kind, name: string, version: string): string {
  const short = kind.group === '' ? 'core' : kind.group.split('.')[0];
  return `converting (${version.split('/').at(-1)}.${name}) to (${short}.${kind.kind}): unknown conversion`;
}
