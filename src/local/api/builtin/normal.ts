import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import { fieldOf } from '../schema/prune.ts';
import type { Schema } from '../schema.ts';
import { defaulted } from './defaults.ts';
import { structOf } from './definitions.ts';

/** Numbers and booleans that are no pointers in Go: 0 and false are the same as absent, and are not written. */
const zeroIsAbsent = new Set(
  `minReadySeconds availableReplicas observedGeneration readyReplicas updatedReplicas unavailableReplicas fullyLabeledReplicas
  active failed succeeded sizeBytes hostPort signal count partition failureThreshold initialDelaySeconds periodSeconds
  successThreshold timeoutSeconds nodePort healthCheckNodePort deprecatedCount generation paused readOnly stdin stdinOnce tty
  unschedulable hostIPC hostNetwork hostPID publishNotReadyAddresses DeploymentStatus.replicas`.split(/\s+/),
);
/** Texts that are pointers in Go: an empty one is a value. */
const emptyIsValue = new Set(
  `holderIdentity storageClassName volumeName apiGroup hostname nodeName zone HostPathVolumeSource.type EndpointPort.name
  appProtocol GRPCAction.service`.split(/\s+/),
);
/** Optional fields that are written even when there is nothing in them. */
const alwaysWritten = new Set(
  'Event.reportingComponent Event.reportingInstance Event.eventTime Event.firstTimestamp Event.lastTimestamp Event.deprecatedFirstTimestamp Event.deprecatedLastTimestamp PodCondition.lastProbeTime PodCondition.lastTransitionTime GRPCAction.service EndpointSlice.ports ClusterRole.rules Role.rules'.split(
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
  const entries = Object.entries(value).map(([key, child]) => {
    const field = fieldOf(schema, key);
    return [key, field === undefined ? child : normal(field, child ?? zeroOf(field))] as const;
  });
  return Object.fromEntries(entries);
}

function normalStruct(schema: Schema, value: JsonObject): JsonObject {
  const name = structOf(schema);
  const own: Record<string, Json> = {};
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    const written = schema.required?.includes(key) === true || alwaysWritten.has(`${name}.${key}`);
    const given = Object.hasOwn(value, key) ? (value[key] ?? null) : null;
    const child = given === null ? absent(field, written) : normal(field, given);
    if (child === undefined || (!written && isEmpty(child, field, [key, `${name}.${key}`]))) continue;
    own[key] = child;
  }
  return defaulted(name, own);
}

/** What Go writes for a field that was not given: a struct, an empty scalar, null, or nothing. */
function absent(field: Schema, written: boolean): Json | undefined {
  const { default: given } = field;
  if (isObject(given)) return normal(field, {});
  if (given !== undefined && (written || (given !== '' && given !== 0 && given !== false))) return given;
  const isText = field.type === 'string' && field.format !== 'date-time';
  return written && !isText && field.type !== 'integer' && field.type !== 'boolean' ? null : undefined;
}

function isEmpty(value: Json | undefined, field: Schema, names: readonly string[]): boolean {
  if (value === 0 || value === false) return names.some((name) => zeroIsAbsent.has(name));
  if (value === '') return !names.some((name) => emptyIsValue.has(name));
  if (isArray(value)) return value.length === 0;
  return (
    isObject(value) &&
    field.properties === undefined &&
    Object.keys(value).length === 0 &&
    field.type === 'object' &&
    field.additionalProperties !== undefined
  );
}

function zeroOf({ type }: Schema): Json {
  return type === 'string' ? '' : type === 'boolean' ? false : type === 'integer' || type === 'number' ? 0 : {};
}
