import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, isObject, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';

export function metadataOf(object: JsonObject | undefined): JsonObject {
  return objectAt(object, 'metadata');
}

/** The object with some of its metadata changed; undefined removes a field. */
export function withMetadata(object: JsonObject, fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const metadata: Record<string, Json> = {};
  for (const [key, value] of Object.entries({ ...metadataOf(object), ...fields })) {
    if (value !== undefined) metadata[key] = value;
  }
  const { kind = '', apiVersion = '', ...rest } = object;
  return { kind, apiVersion, ...rest, metadata };
}

export function stringsAt(object: JsonObject, field: 'finalizers'): readonly string[] {
  const list = metadataOf(object)[field];
  return isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

export function isBeingDeleted(object: JsonObject): boolean {
  return metadataOf(object)['deletionTimestamp'] !== undefined;
}

/** Whether no finalizer holds back an object that is being deleted. */
export function isReleased(object: JsonObject): boolean {
  const { deletionGracePeriodSeconds = 0 } = metadataOf(object);
  if (!isBeingDeleted(object) || stringsAt(object, 'finalizers').length > 0) return false;
  if (object['kind'] === 'Namespace' && object['apiVersion'] === 'v1') {
    const { finalizers } = objectAt(object, 'spec');
    return finalizers === undefined || (Array.isArray(finalizers) && finalizers.length === 0);
  }
  return deletionGracePeriodSeconds === 0;
}

/** Keeps the metadata that an update cannot set. */
export function keepMetadata(before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [metadataOf(before), metadataOf(after)];
  return withMetadata(after, {
    generation: was['generation'],
    creationTimestamp: was['creationTimestamp'],
    resourceVersion: was['resourceVersion'],
    selfLink: undefined,
    uid: is['uid'] ?? was['uid'],
    namespace: was['namespace'],
    generateName: is['generateName'],
    deletionTimestamp: is['deletionTimestamp'] ?? was['deletionTimestamp'],
    deletionGracePeriodSeconds: is['deletionGracePeriodSeconds'] ?? was['deletionGracePeriodSeconds'],
  });
}

const withGeneration = new Set(
  `Deployment ReplicaSet Job Pod CustomResourceDefinition EndpointSlice StatefulSet DaemonSet CronJob ReplicationController
  PodTemplate PriorityClass NetworkPolicy Ingress IngressClass PodDisruptionBudget ValidatingAdmissionPolicy
  ValidatingAdmissionPolicyBinding`.split(/\s+/),
);

/** Whether the server counts the generations of this kind from 1. */
export function hasGeneration({ kind, custom }: Kind): boolean {
  return custom || withGeneration.has(kind);
}

/** Whether a change increases `generation`; measured kind by kind on kube-apiserver 1.35. */
export function isNewGeneration(kind: Kind, before: JsonObject, after: JsonObject): boolean {
  if (!hasGeneration(kind)) return false;
  if (kind.custom || kind.kind === 'EndpointSlice') {
    const aside = kind.hasStatus ? ['metadata', 'status'] : ['metadata'];
    const labels = kind.kind === 'EndpointSlice' ? ['labels'] : [];
    return !isEqual(without(before, aside), without(after, aside)) || !isSame(before, after, labels);
  }
  // For a Deployment annotations count like the spec.
  const annotations = kind.kind === 'Deployment' ? ['annotations'] : [];
  return !isEqual(before['spec'] ?? null, after['spec'] ?? null) || !isSame(before, after, annotations);
}

function isSame(before: JsonObject, after: JsonObject, fields: readonly string[]): boolean {
  return fields.every((field) => isEqual(objectAt(before, 'metadata', field), objectAt(after, 'metadata', field)));
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Whether both are the same object apart from the times in managedFields: then a write would change nothing. */
export function isSameObject(one: JsonObject, other: JsonObject): boolean {
  return isEqual({ ...one, metadata: timeless(one) }, { ...other, metadata: timeless(other) });
}

function timeless(object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const { managedFields } = metadata;
  if (!isArray(managedFields)) return metadata;
  return {
    ...metadata,
    managedFields: managedFields.map((entry) => (isObject(entry) ? { ...entry, time: '' } : entry)),
  };
}
