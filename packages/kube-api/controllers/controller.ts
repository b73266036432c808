import type { KubeObject, ObjectRef } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import type { Json, JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';

/** One level-based loop: which objects does a change concern, and what must be true of one of them. */
export interface Controller {
  /** The objects to reconcile after this one changed or went. */
  concerns(changed: KubeObject, client: Client): readonly ObjectRef[];
  /** Makes it true; called again after every write that concerns it. */
  reconcile(ref: ObjectRef, parts: Parts): void;
}

export interface Parts {
  readonly client: Client;
  /** RFC 3339, whole seconds. */
  readonly now: () => string;
}

/** A part of an object as JSON: `partOf(pod, 'spec')`. */
export function partOf(object: KubeObject, ...path: readonly string[]): JsonObject {
  return objectAt(jsonOf(object), ...path);
}

export function jsonOf(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

/** The object with one part replaced. */
export function withPart(object: KubeObject, name: string, part: Json): KubeObject {
  return { ...object, [name]: part } as KubeObject;
}

/** The owner reference from a controller to the objects it makes. */
export function controllerReference({ apiVersion, kind, metadata }: KubeObject): JsonObject {
  const { name, uid = '' } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The objects of one kind that this object controls. */
export function controlledBy(owner: KubeObject, client: Client, kind: Pick<ObjectRef, 'apiVersion' | 'kind'>) {
  const { namespace = '', uid } = owner.metadata;
  return client
    .list({ ...kind, namespace })
    .filter(({ metadata }) => metadata.ownerReferences?.some((one) => one.controller === true && one.uid === uid));
}

/** The controller of an object as a name, if it is of this kind. */
export function controllerRef(object: KubeObject, { apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>) {
  const owner = object.metadata.ownerReferences?.find((one) => one.controller === true && one.kind === kind);
  const namespace = object.metadata.namespace ?? '';
  return owner === undefined ? [] : [{ apiVersion, kind, namespace, name: owner.name }];
}

export function isReady(pod: KubeObject): boolean {
  return conditionsOf(pod).some(({ type, status }) => type === 'Ready' && status === 'True');
}

export function conditionsOf(object: KubeObject): readonly JsonObject[] {
  const { conditions } = partOf(object, 'status');
  return Array.isArray(conditions) ? (conditions as readonly JsonObject[]) : [];
}

/** Whether the object has all of these labels. No labels match nothing. */
export function hasLabels(object: KubeObject, labels: JsonObject): boolean {
  const pairs = Object.entries(labels);
  return pairs.length > 0 && pairs.every(([key, value]) => object.metadata.labels?.[key] === value);
}

/** A Pod of the template of its controller. */
export function podOfTemplate(controller: KubeObject): KubeObject {
  const { namespace = '', name } = controller.metadata;
  const { labels = {}, annotations, finalizers } = partOf(controller, 'spec', 'template', 'metadata');
  const metadata = {
    generateName: `${name}-`,
    namespace,
    labels,
    ...(annotations !== undefined && { annotations }),
    ...(finalizers !== undefined && { finalizers }),
    ownerReferences: [controllerReference(controller)],
  };
  const spec = partOf(controller, 'spec', 'template', 'spec');
  return { ...pods, metadata: metadata as unknown as KubeObject['metadata'], spec } as KubeObject;
}

export const pods = { apiVersion: 'v1', kind: 'Pod' } as const;
export const services = { apiVersion: 'v1', kind: 'Service' } as const;
export const replicaSets = { apiVersion: 'apps/v1', kind: 'ReplicaSet' } as const;
export const jobs = { apiVersion: 'batch/v1', kind: 'Job' } as const;
export const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' } as const;
export const endpointSlices = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' } as const;
export const namespaces = { apiVersion: 'v1', kind: 'Namespace' } as const;
