import { timestamp } from '../http/request.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import { stringsAt, withMetadata } from '../objects/metadata.ts';

/** The finalizer that makes a CustomResourceDefinition wait until its objects are gone. */
export const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

const pending = {
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/** A definition at the begin of its deletion: it waits for its objects. */
export function terminating(crd: JsonObject, now: number): JsonObject {
  const others = conditionsOf(crd).filter((one) => !isObject(one) || one['type'] !== 'Terminating');
  const condition = { type: 'Terminating', status: 'True', lastTransitionTime: timestamp(now), ...pending };
  const finalizers = [...stringsAt(crd, 'finalizers').filter((one) => one !== cleanup), cleanup];
  const status = { ...objectAt(crd, 'status'), conditions: [...others, condition] };
  return withMetadata({ ...crd, status }, { finalizers });
}

export function conditionsOf(crd: JsonObject): readonly Json[] {
  const { conditions } = objectAt(crd, 'status');
  return isArray(conditions) ? conditions : [];
}
