import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../schema/schema.ts';
import { nameOf } from './definitions.ts';

type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>;

let messages: Messages | undefined;

/**
 * Whether a field of a built-in struct is a number or a switch that is no pointer in Go: then 0 and false are the same as absent, and
 * are not written where the field is optional. Go's own types say so, in `http/protobuf/messages.json`; a schema does not.
 * Undefined for a struct that is not there.
 */
export function isPlainInGo(struct: Schema, key: string): boolean | undefined {
  const name = nameOf(struct)?.split('.').slice(-3).join('.') ?? '';
  const types = typesOf(name);
  return types && /^(?:bool|int32|int64)$/.test(types.get(key) ?? '');
}

/** The Go types of a struct by the names of its fields in JSON, with those of the structs in it that Go writes inline. */
function typesOf(name: string): ReadonlyMap<string, string> | undefined {
  messages ??= JSON.parse(
    readFileSync(join(import.meta.dirname, '../http/protobuf/messages.json'), 'utf8'),
  ) as Messages;
  const own = messages[name];
  return own && new Map(Object.values(own).flatMap(fieldsIn));
}

function fieldsIn(field: string): readonly (readonly [key: string, type: string])[] {
  const [key = '', type = ''] = field.split(' ');
  return key === '' ? [...(typesOf(type) ?? [])] : [[key, type]];
}
