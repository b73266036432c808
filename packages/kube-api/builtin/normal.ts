import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import { fieldOf } from '../schema/prune.ts';
import type { Schema } from '../schema/schema.ts';
import { defaulted } from './defaults.ts';
import { structOf } from './definitions.ts';
import { isPlainInGo } from './go-fields.ts';

/** Texts that are pointers in Go: an empty one is a value. */
const emptyIsValue = new Set(
  `holderIdentity storageClassName volumeName apiGroup hostname nodeName zone HostPathVolumeSource.type EndpointPort.name
  appProtocol GRPCAction.service`.split(/\s+/),
);
/** Optional fields that are written even if they are empty. */
const alwaysWritten = new Set(
  'Event.reportingComponent Event.reportingInstance Event.eventTime Event.firstTimestamp Event.lastTimestamp Event.deprecatedFirstTimestamp Event.deprecatedLastTimestamp PodCondition.lastProbeTime PodCondition.lastTransitionTime GRPCAction.service EndpointSlice.ports ClusterRole.rules Role.rules HorizontalPodAutoscalerStatus.currentMetrics StatefulSetOrdinals.start StatefulSetStatus.availableReplicas'.split(
    ' ',
  ),
);

/**
 * A built-in object as Go writes it after it has read it: without nulls and empty fields, with the structs that are
 * always there, and with the defaults of its kind.
 */
export function normal(schema: Schema, value: Json): Json {
  if (isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => normal(items, item ?? zeroOf(items)));
  }
  if (typeof value === 'number' && schema.type === 'string') return String(value);
  if (!isObject(value)) return value;
  if (schema.properties !== undefined) return normalStruct(schema, value);
  if (schema.additionalProperties === undefined) return value;
  const own: Record<string, Json> = {};
  for (const [key, child] of Object.entries(value)) {
    const field = fieldOf(schema, key);
    own[key] = field === undefined ? child : normal(field, child ?? zeroOf(field));
  }
  return own;
}

function normalStruct(schema: Schema, value: JsonObject): JsonObject {
  const own: Record<string, Json> = {};
  for (const field of fieldsOf(schema)) {
    const given = Object.hasOwn(value, field.key) ? (value[field.key] ?? null) : null;
    const child = given === null ? field.absent : normal(field.schema, given);
    if (child === undefined || (!field.isWritten && isEmpty(child, field))) continue;
    own[field.key] = child;
  }
  return defaulted(structOf(schema), own);
}

/** The value of a number or a switch that Go does not write in this field of a built-in struct; undefined where it writes each. */
export function unwrittenZero(struct: Schema, key: string): 0 | false | undefined {
  const field = fieldsOf(struct).find((one) => one.key === key);
  if (field === undefined || field.isWritten || field.keepsZero) return undefined;
  const zero = zeroOf(field.schema);
  return zero === 0 || zero === false ? zero : undefined;
}

/** A field of a struct, and how it is written. */
interface Field {
  readonly key: string;
  readonly schema: Schema;
  readonly isWritten: boolean;
  /** Whether zero and an empty text are values. */
  readonly keepsZero: boolean;
  readonly keepsEmpty: boolean;
  /** What Go writes if the field was not given. */
  readonly absent: Json | undefined;
}

const known = new WeakMap<Schema, readonly Field[]>();

function fieldsOf(struct: Schema): readonly Field[] {
  const found = known.get(struct);
  if (found !== undefined) return found;
  const { properties = {}, required = [] } = struct;
  const fields = Object.entries(properties).map(([key, schema]) => {
    const name = `${structOf(struct)}.${key}`;
    const isWritten = required.includes(key) || alwaysWritten.has(name);
    return {
      key,
      schema,
      isWritten,
      // Go's types of custom resource definitions are not there: the only such numbers of theirs are in the status.
      keepsZero: !(isPlainInGo(struct, key) ?? key === 'observedGeneration'),
      keepsEmpty: emptyIsValue.has(key) || emptyIsValue.has(name),
      absent: absent(schema, isWritten),
    };
  });
  known.set(struct, fields);
  return fields;
}

/** What Go writes for a field that was not given: a struct, an empty scalar, null, or nothing. */
function absent(field: Schema, written: boolean): Json | undefined {
  const { default: given } = field;
  if (isObject(given)) return normal(field, {});
  if (given !== undefined && (written || (given !== '' && given !== 0 && given !== false))) return given;
  const isText = field.type === 'string' && field.format !== 'date-time';
  return written && !isText && field.type !== 'integer' && field.type !== 'boolean' ? null : undefined;
}

function isEmpty(value: Json, { schema, keepsZero, keepsEmpty }: Field): boolean {
  if (value === 0 || value === false) return !keepsZero;
  if (value === '') return !keepsEmpty;
  if (isArray(value)) return value.length === 0;
  const isMap =
    schema.type === 'object' && schema.properties === undefined && schema.additionalProperties !== undefined;
  return isMap && isObject(value) && Object.keys(value).length === 0;
}

function zeroOf({ type }: Schema): Json {
  return type === 'string' ? '' : type === 'boolean' ? false : type === 'integer' || type === 'number' ? 0 : {};
}
