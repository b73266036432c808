import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../json.ts';
import { isObject, objectAt } from '../../json.ts';

/**
 * Message → number of a field → its name in JSON and its type, from the struct tags of k8s.io/api 0.35 (the kinds that
 * `kubectl create` makes are sent as protobuf). `*` may be left out of the JSON, `[]` is a list, `{}` a map; a field
 * without a name belongs to the object around it.
 */
let messages: JsonObject | undefined;

const prefix = 'k8s\0';

/** The object in a protobuf body, one character a byte; throws SyntaxError if the body holds none. */
export function decodeProtobuf(body: string): JsonObject {
  if (!body.startsWith(prefix)) {
    throw new SyntaxError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const envelope = fieldsOf(Buffer.from(body.slice(prefix.length), 'latin1'));
  const type = fieldsOf(bytesOf(envelope.get(1)));
  const [apiVersion, kind] = [bytesOf(type.get(1)).toString(), bytesOf(type.get(2)).toString()];
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  // Every group has the options of a deletion, and calls them its own.
  const isShared = kind === 'DeleteOptions';
  const message = isShared ? `meta.v1.${kind}` : `${group.split('.')[0]}.${version}.${kind}`;
  return { kind, apiVersion, ...decodeMessage(bytesOf(envelope.get(2)), message) };
}

type Wire = number | Buffer;

/** The fields of one message by number, in the order in which they came. */
function fieldsOf(bytes: Buffer): Map<number, Wire[]> {
  const fields = new Map<number, Wire[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new SyntaxError('unexpected EOF');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const list = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, list);
    if ((tag & 7) === 0) list.push(varint());
    else if ((tag & 7) === 2) {
      const length = varint();
      if (length < 0 || at + length > bytes.length) throw new SyntaxError('unexpected EOF');
      list.push(bytes.subarray(at, at + length));
      at += length;
    } else throw new SyntaxError(`proto: illegal wireType ${tag & 7}`);
  }
  return fields;
}

function bytesOf(wires: readonly Wire[] | undefined): Buffer {
  const wire = wires?.at(-1);
  return Buffer.isBuffer(wire) ? wire : Buffer.alloc(0);
}

function decodeMessage(bytes: Buffer, message: string): JsonObject {
  messages ??= JSON.parse(readFileSync(join(import.meta.dirname, 'messages.json'), 'utf8')) as JsonObject;
  const known = objectAt(messages, message);
  if (!Object.hasOwn(messages, message)) throw new SyntaxError(`no protobuf message ${message} is known here`);
  const object: Record<string, Json> = {};
  for (const [number, wires] of fieldsOf(bytes)) {
    const [name = '', type = ''] = String(known[number] ?? '').split(' ');
    if (type === '') throw new SyntaxError(`${message} has no field ${number}`);
    const value = decodeField(wires, type);
    if (name === '') Object.assign(object, value);
    else if (!isZero(value, type)) object[name] = value;
  }
  return object;
}

/** Go writes every field that is not a pointer, set or not. */
function isZero(value: Json, type: string): boolean {
  if (value === null) return true;
  if (type.startsWith('*') || type.startsWith('[]') || type.startsWith('{}')) return false;
  return value === '' || value === 0 || value === false || (isObject(value) && Object.keys(value).length === 0);
}

function decodeField(wires: readonly Wire[], type: string): Json {
  if (type.startsWith('[]')) return wires.map((wire) => decodeValue(wire, type.slice(2)));
  if (!type.startsWith('{}')) return decodeValue(wires.at(-1) ?? 0, type.replace('*', ''));
  const entries = wires.map((wire) => {
    const entry = fieldsOf(bytesOf([wire]));
    return [bytesOf(entry.get(1)).toString(), decodeField(entry.get(2) ?? [Buffer.alloc(0)], type.slice(2))] as const;
  });
  return Object.fromEntries(entries);
}

function decodeValue(wire: Wire, type: string): Json {
  const bytes = bytesOf([wire]);
  switch (type) {
    case 'string':
      return bytes.toString();
    case 'bytes':
      return bytes.toString('base64');
    case 'int32':
    case 'int64':
      return Number(wire);
    case 'bool':
      return wire === 1;
    case 'time':
      return bytes.length === 0 ? null : timeOf(fieldsOf(bytes));
    case 'quantity':
      return bytesOf(fieldsOf(bytes).get(1)).toString();
    case 'intOrString':
      return intOrString(fieldsOf(bytes));
    case 'raw':
      return JSON.parse(bytesOf(fieldsOf(bytes).get(1)).toString()) as Json;
    default:
      return decodeMessage(bytes, type);
  }
}

function timeOf(fields: ReadonlyMap<number, readonly Wire[]>): string {
  return new Date(Number(fields.get(1)?.at(-1) ?? 0) * 1000).toISOString().replace('.000Z', 'Z');
}

function intOrString(fields: ReadonlyMap<number, readonly Wire[]>): Json {
  const isText = fields.get(1)?.at(-1) === 1;
  return isText ? bytesOf(fields.get(3)).toString() : Number(fields.get(2)?.at(-1) ?? 0);
}
