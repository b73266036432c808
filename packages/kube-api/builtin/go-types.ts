import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import { formats } from '../schema/formats.ts';
import { fieldOf } from '../schema/prune.ts';
import { isQuantity } from '../schema/quantity.ts';
import type { Schema } from '../schema/schema.ts';
import { nameOf, structOf } from './definitions.ts';

/** The place of the decoder: the Go struct around the value, and the keys from the root, without indexes. */
interface Place {
  readonly struct: string;
  readonly key: string;
  readonly above: Place | undefined;
}

const root: Place = { struct: '', key: '', above: undefined };

/** Fields with a Go type of their own name; all others are called string. */
const words: Readonly<Record<string, string>> = {
  restartPolicy: 'v1.RestartPolicy',
  dnsPolicy: 'v1.DNSPolicy',
  imagePullPolicy: 'v1.PullPolicy',
  protocol: 'v1.Protocol',
  uid: 'types.UID',
  'ServiceSpec.type': 'v1.ServiceType',
  'Secret.type': 'v1.SecretType',
};
/** The handlers of a probe are in a struct of their own, which Go writes inline but names in errors. */
const inline = new Set(['Probe.exec', 'Probe.httpGet', 'Probe.tcpSocket', 'Probe.grpc']);

const quantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/**
 * Go's error for the first value that does not fit into a built-in type (measured on kube-apiserver 1.35), or undefined.
 * `root` is the path of an object that is decoded alone, such as the metadata of a custom resource.
 */
export function typeFault(schema: Schema, value: Json, place: Place = root): string | undefined {
  if (value === null || schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  const mismatch = (shown = jsonType(value)) => `json: cannot unmarshal ${shown} into ${nameOfPlace(schema, place)}`;
  if (isArray(value)) {
    const { items } = schema;
    if (items === undefined) return mismatch();
    return first(value, (item) => typeFault(items, item, place));
  }
  if (isObject(value)) {
    return schema.properties || schema.additionalProperties ? fieldsFault(schema, value, place) : mismatch();
  }
  return scalarFault(schema, value, mismatch);
}

function fieldsFault(schema: Schema, value: JsonObject, place: Place): string | undefined {
  const struct = schema.properties ? structOf(schema) : place.struct;
  return first(Object.entries(value), ([key, child]) => {
    const field = fieldOf(schema, key);
    return field && typeFault(field, child, schema.properties ? { struct, key, above: place } : place);
  });
}

function nameOfPlace(schema: Schema, place: Place): string {
  const wanted = goType(schema, place);
  const path = pathOf(place);
  return path === '' ? `Go value of type ${wanted}` : `Go struct field ${place.struct}.${path} of type ${wanted}`;
}

function pathOf({ struct, key, above }: Place): string {
  if (above === undefined) return '';
  return [pathOf(above), inline.has(`${struct}.${key}`) ? 'ProbeHandler' : '', key]
    .filter((step) => step !== '')
    .join('.');
}

function scalarFault(schema: Schema, value: Json, mismatch: (shown?: string) => string): string | undefined {
  const name = nameOf(schema) ?? '';
  if (name.endsWith('.Quantity')) return isAmount(value) ? undefined : quantity;
  if (schema['x-kubernetes-int-or-string'] === true) {
    return typeof value === 'string' ? undefined : integerFault(value, 'int32', mismatch);
  }
  switch (schema.type) {
    case 'integer':
      return integerFault(value, schema.format ?? 'int64', mismatch);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mismatch();
    case 'number':
      return typeof value === 'number' ? undefined : mismatch();
    case 'string':
      return typeof value === 'string' ? textFault(schema, value) : mismatch();
    default:
      return mismatch();
  }
}

function integerFault(value: Json, format: string, mismatch: (shown?: string) => string): string | undefined {
  if (typeof value !== 'number') return mismatch();
  const fits = Number.isInteger(value) && Math.abs(value) <= (format === 'int32' ? 2 ** 31 - 1 : 2 ** 63);
  return fits ? undefined : mismatch(`number ${value}`);
}

function textFault({ format }: Schema, text: string): string | undefined {
  switch (format) {
    case 'byte': {
      const wrong = text.search(/[^A-Za-z0-9+/=\r\n]/);
      if (wrong < 0 && formats['byte']?.(text.replaceAll(/[\r\n]/g, '')) === true) return undefined;
      return `illegal base64 data at input byte ${wrong < 0 ? Math.max(0, text.length - (text.length % 4 || 1)) : wrong}`;
    }
    case 'date-time': {
      if (formats['date-time']?.(text) === true) return undefined;
      const layout = '2006-01-02T15:04:05Z07:00';
      return `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse ${JSON.stringify(text)} as "2006"`;
    }
    default:
      return undefined;
  }
}

function isAmount(value: Json): boolean {
  return (typeof value === 'string' || typeof value === 'number') && isQuantity(String(value));
}

function goType(schema: Schema, { struct, key }: Place): string {
  if (schema.items) return `[]${goType(schema.items, root)}`;
  if (typeof schema.additionalProperties === 'object') return `map[string]${goType(schema.additionalProperties, root)}`;
  if (schema.properties) return `v1.${structOf(schema)}`;
  if (schema['x-kubernetes-int-or-string'] === true) return 'int32';
  if (schema.type === 'integer') return schema.format ?? 'int64';
  if (schema.type === 'boolean') return 'bool';
  if (schema.format === 'byte') return '[]uint8';
  return words[`${struct}.${key}`] ?? words[key] ?? (schema.type === 'number' ? 'float64' : 'string');
}

function jsonType(value: Json): string {
  if (isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function first<T>(items: readonly T[], fault: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = fault(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
